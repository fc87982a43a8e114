import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Niklos, a house bot of koth, in Java: plays exactly like bots/pazaak/niklos.py.
 *
 * Questions come as one JSON object a line, always spelled the same way (docs/reference/protocol.md),
 * so a few integers can be read without a JSON library. What is not as expected raises an exception,
 * which ends the program; `koth check` shows its message.
 */
public final class Niklos {
    private static final int END = 0;
    private static final int STAND = -1;
    private static final int TARGET = 20;

    private Niklos() {}

    /** Where the value of a key begins; with its quotes, so "total" is not "opponent_total". */
    private static int value(String line, String key) {
        int found = line.indexOf("\"" + key + "\":");
        if (found < 0) {
            throw new IllegalArgumentException("no " + key + " in: " + line);
        }
        return found + key.length() + 3;
    }

    private static int integer(String line, String key) {
        int start = value(line, key);
        int end = start + (line.charAt(start) == '-' ? 1 : 0);
        while (Character.isDigit(line.charAt(end))) {
            end++;
        }
        return Integer.parseInt(line, start, end, 10);
    }

    private static int[] integers(String line, String key) {
        int start = value(line, key) + 1;
        String inside = line.substring(start, line.indexOf(']', start));
        if (inside.isEmpty()) {
            return new int[0];
        }
        String[] words = inside.split(",");
        int[] numbers = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            numbers[i] = Integer.parseInt(words[i]);
        }
        return numbers;
    }

    private static boolean holds(int[] hand, int wanted) {
        for (int card : hand) {
            if (card == wanted) {
                return true;
            }
        }
        return false;
    }

    static int respond(String line) {
        int me = integer(line, "total");
        int opponent = integer(line, "opponent_total");
        if (me <= 10) {
            return END;
        }
        if (me >= TARGET || opponent > TARGET) {
            return STAND;
        }
        int[] side = integers(line, "side_hand");

        if (line.startsWith("-1", value(line, "opponent_action"))) {
            if (me > opponent) {
                return STAND;
            }
            int winning = 0;
            for (int card : side) {
                boolean wins = opponent < me + card && me + card <= TARGET;
                if (wins && (winning == 0 || card < winning)) {
                    winning = card;
                }
            }
            if (winning != 0) {
                return winning;
            }
            if (me == opponent) {
                return me >= 17 ? STAND : END;
            }
            return opponent >= 19 && holds(side, opponent - me) ? opponent - me : END;
        }

        if (holds(side, TARGET - me)) {
            return TARGET - me;
        }
        if (line.startsWith("true", value(line, "first"))) {
            return me >= 18 ? STAND : END;
        }
        return me >= Math.max(17, opponent) ? STAND : END;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        in.readLine();
        StringBuilder answers = new StringBuilder("{\"koth\":1}\n");
        out.write(answers.toString().getBytes(StandardCharsets.UTF_8));
        answers.setLength(0);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            answers.append("{\"lane\":").append(integer(line, "lane"));
            answers.append(",\"answer\":").append(respond(line)).append("}\n");
            if (integer(line, "left") == 0) {
                out.write(answers.toString().getBytes(StandardCharsets.UTF_8));
                answers.setLength(0);
            }
        }
    }
}
