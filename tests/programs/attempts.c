/* A bot that attempts one forbidden act before it says hello, and reports on standard error what it
 * got: "got ..." or "refused ...". The act is its first argument, the path or number it concerns the
 * second. The acts named may_... are ones a program needs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char *subject = "";
static const char *scratch = "";

static long made(long child)
{
    if (child == 0)
        _exit(0);
    return child;
}

static long fork_a_process(void) { return made(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static long fork_by_vfork(void) { return made(vfork()); }

static long fork_a_twin(void)
{
    /* All of a thread but the flag that makes it one: a process that shares the memory. */
    return made(syscall(SYS_clone, CLONE_FS | CLONE_FILES | SIGCHLD, 0, 0, 0, 0));
}

static long fork_by_clone3(void)
{
    struct clone_args arguments = {.exit_signal = SIGCHLD};
    return made(syscall(SYS_clone3, &arguments, sizeof arguments));
}

static long opened(int flags) { return open(subject, flags, 0600); }
static long read_a_file(void) { return opened(O_RDONLY); }
static long write_a_file(void) { return opened(O_WRONLY); }
static long make_a_file(void) { return opened(O_WRONLY | O_CREAT | O_EXCL); }
static long truncate_a_file(void) { return truncate(subject, 0); }
static long delete_a_file(void) { return unlink(subject); }
static long list_a_folder(void) { return opened(O_RDONLY | O_DIRECTORY); }
static long change_a_mode(void) { return chmod(subject, 0777); }

static long execute_a_file(void)
{
    char *arguments[] = {(char *)subject, "may_think", NULL}, *environment[] = {NULL};
    return execve(subject, arguments, environment);
}

static long execute_what_it_wrote(void)
{
    char path[300], buffer[65536];
    snprintf(path, sizeof path, "%s/copy", scratch);
    int from = open(subject, O_RDONLY), to = open(path, O_WRONLY | O_CREAT, 0700);
    ssize_t count;
    if (from < 0 || to < 0) {
        fprintf(stderr, "broken: cannot copy\n");
        exit(9);
    }
    while ((count = read(from, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, (size_t)count) != count)
            exit(9);
    close(to);
    subject = path;
    return execute_a_file();
}

static long connect_by_tcp(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(subject))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    return made < 0 ? made : connect(made, (struct sockaddr *)&to, sizeof to);
}

static long make_a_datagram_socket(void) { return socket(AF_INET, SOCK_DGRAM, 0); }
static long make_a_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static long make_a_pair_of_other_sockets(void)
{
    int pair[2];
    return socketpair(AF_TIPC, SOCK_STREAM, 0, pair);
}
static long make_a_ring(void) { char room[256] = {0}; return syscall(SYS_io_uring_setup, 1, room); }
static long make_nameless_memory(void) { return syscall(SYS_memfd_create, "memory", 0); }

static long signal_the_parent(void) { return kill(getppid(), 0); }
static long signal_everybody(void) { return kill(-1, 0); }
static long end_as_if_from_outside(void) { return kill(getpid(), SIGSTOP); }
static long trace_the_parent(void) { return ptrace(PTRACE_ATTACH, getppid(), 0, 0); }
static long read_the_clock_of_another(void)
{
    struct timespec now;
    return clock_gettime((clockid_t)((~(unsigned)getppid() << 3) | 2), &now);
}
static long survive_the_parent(void) { return prctl(PR_SET_PDEATHSIG, 0); }
static long leave_the_session(void) { return setsid(); }
static long leave_the_core(void)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    return sched_setaffinity(0, sizeof all, &all);
}
static long raise_a_limit(void)
{
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_DATA, &none);
}

static long mapped(size_t bytes, int flags)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? -1 : 1;
}
static long share_nameless_memory(void) { return mapped(1 << 20, MAP_SHARED | MAP_ANONYMOUS); }
static long map_growing_memory(void)
{
    return mapped(1 << 20, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN);
}
static long map_more_than_allowed(void) { return mapped((size_t)1 << 30, MAP_PRIVATE | MAP_ANONYMOUS); }

static long hide_memory_from_its_limit(void)
{
    /* What is made read-only after it was written does not count towards the limit any more. */
    for (int i = 0; i < 64; i++) {
        size_t bytes = 16 << 20;
        char *piece = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED)
            return -1;
        memset(piece, 1, bytes);
        mprotect(piece, bytes, PROT_READ);
        struct timespec pause = {0, 60 * 1000 * 1000};
        nanosleep(&pause, NULL);
    }
    return 64;
}

static void *hide_memory_and_report(void *unused)
{
    long got = hide_memory_from_its_limit();
    if (got < 0)
        fprintf(stderr, "refused: %s\n", strerror(errno));
    else
        fprintf(stderr, "got %ld\n", got);
    exit(0);
    return unused;
}

static long hide_memory_behind_an_ended_thread(void)
{
    /* Of a process whose first thread has ended the kernel shows no memory at that thread's number. */
    pthread_t thread;
    errno = pthread_create(&thread, NULL, hide_memory_and_report, NULL);
    if (errno == 0)
        syscall(SYS_exit, 0);
    return -1;
}

static void *rest(void *unused)
{
    pause();
    return unused;
}

static long make_a_thousand_threads(void)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    for (int i = 0; i < 1000; i++) {
        errno = pthread_create(&thread, &small, rest, NULL);
        if (errno != 0)
            return -1;
    }
    struct timespec while_they_run = {0, 300 * 1000 * 1000};
    nanosleep(&while_they_run, NULL);
    return 1000;
}

static void *think(void *result)
{
    *(int *)result = 1;
    return NULL;
}

static long may_think(void)
{
    pthread_t thread;
    int result = 0;
    errno = pthread_create(&thread, NULL, think, &result);
    if (errno != 0)
        return -1;
    pthread_join(thread, NULL);
    return result;
}

static long may_write_to_its_scratch(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/notes", scratch);
    return open(path, O_RDWR | O_CREAT, 0600);
}
static long may_read_a_file(void) { return read_a_file(); }
static long may_execute_itself_again(void)
{
    return execute_a_file(); /* with the argument may_think, whose report then comes */
}
static long may_pair_sockets(void)
{
    int pair[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
}

#define ACT(name) {#name, name}
static const struct { const char *name; long (*act)(void); } ACTS[] = {
    ACT(fork_a_process), ACT(fork_by_vfork), ACT(fork_a_twin), ACT(fork_by_clone3),
    ACT(read_a_file), ACT(write_a_file), ACT(make_a_file), ACT(truncate_a_file), ACT(delete_a_file),
    ACT(list_a_folder), ACT(change_a_mode), ACT(execute_a_file), ACT(execute_what_it_wrote),
    ACT(connect_by_tcp), ACT(make_a_datagram_socket), ACT(make_a_unix_socket),
    ACT(make_a_pair_of_other_sockets), ACT(make_a_ring), ACT(make_nameless_memory),
    ACT(signal_the_parent), ACT(signal_everybody), ACT(end_as_if_from_outside), ACT(trace_the_parent),
    ACT(read_the_clock_of_another), ACT(survive_the_parent), ACT(leave_the_session),
    ACT(leave_the_core), ACT(raise_a_limit), ACT(share_nameless_memory), ACT(map_growing_memory),
    ACT(map_more_than_allowed), ACT(hide_memory_from_its_limit),
    ACT(hide_memory_behind_an_ended_thread), ACT(make_a_thousand_threads),
    ACT(may_think), ACT(may_write_to_its_scratch), ACT(may_read_a_file),
    ACT(may_execute_itself_again), ACT(may_pair_sockets),
};

int main(int count, char *arguments[])
{
    const char *wanted = count > 1 ? arguments[1] : "";
    char line[4096];
    if (count > 2)
        subject = arguments[2];
    scratch = getenv("TMPDIR") ? getenv("TMPDIR") : "";
    for (size_t i = 0; i < sizeof ACTS / sizeof ACTS[0]; i++) {
        if (strcmp(ACTS[i].name, wanted) != 0)
            continue;
        errno = 0;
        long got = ACTS[i].act();
        if (got < 0)
            fprintf(stderr, "refused: %s\n", strerror(errno));
        else
            fprintf(stderr, "got %ld\n", got);
        if (fgets(line, sizeof line, stdin) == NULL)
            return 1;
        puts("{\"koth\": 1}");
        return 0;
    }
    fprintf(stderr, "broken: no act %s\n", wanted);
    return 9;
}
