// Linux's own calls (syncfs(2), pipe2(2)) and glibc's own steps of posix_spawn(3); glibc declares them only for
// programs that ask for GNU's extensions before anything else.
#include <spawn.h>
int syncfs(int fd);
int pipe2(int fds[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
