// Niklos, a house bot of koth, in JavaScript: plays exactly like bots/pazaak/niklos.py.
// The protocol is in docs/reference/protocol.md.
"use strict";

const END = 0;
const STAND = -1;
const TARGET = 20;

function respond(view) {
  const me = view.total;
  const opponent = view.opponent_total;
  if (me <= 10) return END;
  if (me >= TARGET || opponent > TARGET) return STAND;

  if (view.opponent_action === STAND) {
    if (me > opponent) return STAND;
    const winning = view.side_hand.filter((card) => opponent < me + card && me + card <= TARGET);
    if (winning.length > 0) return Math.min(...winning);
    if (me === opponent) return me >= 17 ? STAND : END;
    return opponent >= 19 && view.side_hand.includes(opponent - me) ? opponent - me : END;
  }

  if (view.side_hand.includes(TARGET - me)) return TARGET - me;
  if (view.first) return me >= 18 ? STAND : END;
  return me >= Math.max(17, opponent) ? STAND : END;
}

function reply(line) {
  const message = JSON.parse(line);
  if (message.koth !== undefined) return '{"koth":1}\n';
  return `{"lane":${message.lane},"answer":${respond(message)}}\n`;
}

// A chunk holds many lines and ends anywhere. All its answers go out in one piece.
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  if (lines.length > 0) process.stdout.write(lines.map(reply).join(""));
});
