// Linux's own call (syncfs(2)); glibc declares it only for programs that ask for GNU's extensions before anything else.
int syncfs(int fd);
