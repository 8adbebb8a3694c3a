/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests from a person: prompt, history, completion by libedit. */
#include <stdlib.h>
#include <string.h>
#include <editline/readline.h>
#include "debugfs.h"
#include "htree/dirent.h"

/* Names that may stand where a word is completed; each is allocated. */
struct candidates {
	char **v;		/* NULL-terminated once there are any */
	size_t n, room;
	bool failed;		/* no memory */
};

/* libedit's callbacks have no argument of ours. */
static struct debugfs *completing;
static struct candidates candidates;

static void candidates_add(struct candidates *c, const char *a, const char *b,
			   const char *end)
{
	size_t len = strlen(a) + strlen(b) + strlen(end) + 1;
	char *text;

	if (c->n + 2 > c->room) {
		size_t room = c->room ? 2 * c->room : 64;
		char **v = realloc(c->v, room * sizeof(*v));

		if (!v) {
			c->failed = true;
			return;
		}
		c->v = v;
		c->room = room;
	}
	text = malloc(len);
	if (!text) {
		c->failed = true;
		return;
	}
	snprintf(text, len, "%s%s%s", a, b, end);
	c->v[c->n++] = text;
}

static void add_commands(struct candidates *c, const char *prefix)
{
	size_t len = strlen(prefix);
	char name[40];

	for (const struct debugfs_command *k = debugfs_commands; k->run; k++)
		for (unsigned n = 0; command_name(k, n, name); n++)
			if (!strncmp(name, prefix, len))
				candidates_add(c, "", name, "");
}

struct path_prefix {
	const char *dir;	/* what is typed up to the last slash, with it */
	uint8_t name[DIRHASH_NAME_MAX];	/* bytes after it */
	size_t len;
	const struct htree_dir *in;
};

/*
 * A name as it can be typed: quoted, and what splits arguments or paths
 * written as its number too.
 */
static void typed_name(char *out, const char *quoted)
{
	for (; *quoted; quoted++)
		if (strchr(" \"/<", *quoted))
			out += sprintf(out, "\\x%02x", (unsigned char)*quoted);
		else
			*out++ = *quoted;
	*out = '\0';
}

static errcode_t match_entry(void *ctx, const struct htree_dirent *e)
{
	const struct path_prefix *p = ctx;
	char quoted[DBG_NAME_TEXT], text[4 * DBG_NAME_TEXT];

	if (htree_dirent_dot(e) || e->name_len < p->len ||
	    memcmp(e->name, p->name, p->len))
		return 0;
	typed_name(text, entry_text(quoted, p->in, e));
	candidates_add(&candidates, p->dir, text,
		       e->file_type == EXT2_FT_DIR ? "/" : "");
	return 0;
}

/* Everything in the directory of a half-typed path that goes on from there. */
static void add_paths(struct debugfs *d, const char *word)
{
	struct dirscan_ops ops = { .entry = match_entry };
	const char *slash = strrchr(word, '/');
	size_t dir_len = slash ? (size_t)(slash - word) + 1 : 0;
	char *dir = strndup(word, dir_len);
	struct path_prefix p = { .dir = dir };
	struct e2dx_dir *open;
	ext2_ino_t ino = d->cwd;

	if (dir && !name_argument(word + dir_len, p.name, &p.len) &&
	    (!dir_len || !path_resolve(d, dir, &ino)) &&
	    !e2dx_dir_open(d->efs, ino, &open)) {
		p.in = &open->dir;
		dirscan(open, &ops, &p);
		e2dx_dir_close(open);
	}
	free(dir);
}

static char *next_candidate(const char *word, int state)
{
	static size_t next;

	(void)word;
	if (!state)
		next = 0;
	/* libedit frees it. */
	return next < candidates.n ? candidates.v[next++] : NULL;
}

static char **complete(const char *word, int start, int end)
{
	char **matches;

	(void)end;
	/* Nothing on the host's filesystem is meant. */
	rl_attempted_completion_over = 1;
	memset(&candidates, 0, sizeof(candidates));
	if (strspn(rl_line_buffer, " \t") == (size_t)start)
		add_commands(&candidates, word);
	else if (completing->efs)
		add_paths(completing, word);
	rl_completion_append_character = ' ';
	if (candidates.n == 1 && candidates.v[0][0] &&
	    candidates.v[0][strlen(candidates.v[0]) - 1] == '/')
		rl_completion_append_character = '\0';
	matches = rl_completion_matches(word, next_candidate);
	free(candidates.v);
	candidates.v = NULL;
	return matches;
}

int interactive_run(struct debugfs *d)
{
	char *line = NULL;

	completing = d;
	rl_readline_name = "debugfs";
	rl_basic_word_break_characters = " \t\n\"";
	rl_attempted_completion_function = complete;
	using_history();
	while (!d->quit && (line = readline("debugfs: "))) {
		if (line[strspn(line, " \t")]) {
			add_history(line);
			request_run(d, line);
		}
		free(line);
	}
	/* End of file ends the prompt's line. */
	if (!line)
		putchar('\n');
	return 0;
}
