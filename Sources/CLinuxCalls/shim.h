// Linux's own calls (syncfs(2), pipe2(2)); glibc declares them only for programs that ask for GNU's extensions before anything else.
int syncfs(int fd);
int pipe2(int fds[2], int flags);
