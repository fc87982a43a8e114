/* Niklos, a house bot of koth, in C: plays exactly like bots/pazaak/niklos.py.
 *
 * Questions come as one JSON object a line, always spelled the same way (docs/reference/protocol.md),
 * so a few integers can be read without a JSON library. What is not as expected ends the program,
 * with a message on standard error that `koth check` shows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END = 0, STAND = -1, TARGET = 20, MOST_CARDS = 16, LINE_BYTES = 1 << 14 };

static void fail(const char *what, const char *line)
{
    fprintf(stderr, "%s in: %s\n", what, line);
    exit(1);
}

/* Where the value of a key begins. The quotes and the colon are part of what is looked for, so
 * "total" is not found in "opponent_total". */
static const char *value(const char *line, const char *key)
{
    char quoted[40];
    int length = snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(line, quoted);
    if (found == NULL)
        fail(key, line);
    return found + length;
}

static long integer(const char *line, const char *key)
{
    const char *start = value(line, key);
    char *end;
    long number = strtol(start, &end, 10);
    if (end == start)
        fail(key, line);
    return number;
}

/* The numbers of a list; how many there are. */
static int integers(const char *line, const char *key, int list[MOST_CARDS])
{
    const char *at = value(line, key);
    int count = 0;
    if (*at != '[')
        fail(key, line);
    at++;
    while (*at != ']') {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || count == MOST_CARDS)
            fail(key, line);
        list[count++] = (int)number;
        at = *end == ',' ? end + 1 : end;
    }
    return count;
}

static int holds(const int hand[], int cards, int wanted)
{
    for (int i = 0; i < cards; i++)
        if (hand[i] == wanted)
            return 1;
    return 0;
}

static int respond(const char *line)
{
    int me = (int)integer(line, "total");
    int opponent = (int)integer(line, "opponent_total");
    int side[MOST_CARDS];
    int cards = integers(line, "side_hand", side);

    if (me <= 10)
        return END;
    if (me >= TARGET || opponent > TARGET)
        return STAND;

    if (strncmp(value(line, "opponent_action"), "-1", 2) == 0) {
        int winning = 0;
        if (me > opponent)
            return STAND;
        for (int i = 0; i < cards; i++)
            if (opponent < me + side[i] && me + side[i] <= TARGET)
                if (winning == 0 || side[i] < winning)
                    winning = side[i];
        if (winning != 0)
            return winning;
        if (me == opponent)
            return me >= 17 ? STAND : END;
        if (opponent >= 19 && holds(side, cards, opponent - me))
            return opponent - me;
        return END;
    }

    if (holds(side, cards, TARGET - me))
        return TARGET - me;
    if (strncmp(value(line, "first"), "true", 4) == 0)
        return me >= 18 ? STAND : END;
    return me >= 17 && me >= opponent ? STAND : END;
}

int main(void)
{
    static char line[LINE_BYTES], in[1 << 16], out[1 << 16];

    setvbuf(stdin, in, _IOFBF, sizeof in);
    setvbuf(stdout, out, _IOFBF, sizeof out);
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    puts("{\"koth\":1}");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strchr(line, '\n') == NULL)
            fail("a line without an end", line);
        printf("{\"lane\":%ld,\"answer\":%d}\n", integer(line, "lane"), respond(line));
        if (integer(line, "left") == 0)
            fflush(stdout);
    }
    return 0;
}
