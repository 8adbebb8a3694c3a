/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A problem's row in the table, and its text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "cli/cli.h"
#include "problem_table.h"

static const struct problem_family *const families[] = {
	&problems_super, &problems_dir, &problems_group, &problems_inode,
	&problems_xattr, &problems_link, &problems_bitmap, &problems_journal,
	&problems_quota
};

static const struct problem_info unknown = {
	P_NONE, S_LOCK, R_NONE, false, false, "unknown problem", NULL
};

const struct problem_info *problem_info(enum problem_code code)
{
	for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++)
		for (size_t i = 0; i < families[f]->n; i++)
			if (families[f]->v[i].code == code)
				return &families[f]->v[i];
	return &unknown;
}

/* A buffer that text is appended to, and that never overflows. */
struct text {
	char *out;
	size_t size, used;
};

static void __attribute__((format(printf, 2, 3)))
append(struct text *t, const char *format, ...)
{
	va_list ap;
	int n;

	if (t->used + 1 >= t->size)
		return;
	va_start(ap, format);
	n = vsnprintf(t->out + t->used, t->size - t->used, format, ap);
	va_end(ap);
	if (n > 0)
		t->used += (size_t)n;
	if (t->used >= t->size)
		t->used = t->size - 1;
}

static void append_object(struct text *t, const struct problem *p)
{
	char quoted[4 * DIRHASH_NAME_MAX + 1];

	if ((p->code & 0xff00) == 0x0200 && p->ino)
		append(t, "inode %u: ", p->ino);
	switch (p->code & 0xff00) {
	case P_GROUP:
		if (p->code < P_GROUP_RESIZE_INODE)
			append(t, "group %u: ", p->group);
		return;
	case P_INODE:
	case P_MAP:
	case P_LINK:
		append(t, "inode %u: ", p->ino);
		return;
	case P_XATTR:
		append(t, "inode %u: ", p->ino);
		if (p->name_len)
			append(t, "'%s': ",
			       cli_quote(quoted, p->name, p->name_len));
		return;
	case P_QUOTA:
		append(t, "%.*s quota: ", p->name_len, (const char *)p->name);
		return;
	case P_DIR:
	case P_ENTRY:
		break;
	default:
		return;
	}
	append(t, "directory inode %u", p->ino);
	if ((p->code < P_DOTDOT_WRONG || p->code > P_DIR_UNCHECKED) &&
	    p->code != P_DIR_INLINE_HASH)
		append(t, ", block %llu, offset %u",
		       (unsigned long long)p->block, p->offset);
	append(t, ": ");
	if (p->name_len)
		append(t, "'%s': ", cli_quote(quoted, p->name, p->name_len));
}

static void append_text(struct text *t, const char *text,
			const struct problem *p)
{
	for (; *text; text++) {
		if (*text != '%') {
			append(t, "%c", *text);
			continue;
		}
		switch (*++text) {
		case 'v':
			append(t, "%llu", (unsigned long long)p->value);
			break;
		case 'e':
			append(t, "%llu", (unsigned long long)p->expected);
			break;
		case 'b':
			append(t, "%llu", (unsigned long long)p->block);
			break;
		case 'o':
			append(t, "%llo", (unsigned long long)p->value);
			break;
		case 'i':
		case 'g':
			append(t, "%u", p->ino);
			break;
		case 'm':
			append(t, "%s", error_message((errcode_t)p->value));
			break;
		default:
			return;
		}
	}
}

void problem_format(const struct problem *p, char *out, size_t size)
{
	const struct problem_info *info = problem_info(p->code);
	struct text t = { out, size, 0 };

	if (!size)
		return;
	*out = '\0';
	append_object(&t, p);
	if (info->text) {
		append_text(&t, info->text, p);
		return;
	}
	append(&t, "%s", htree_finding_text(
		(enum htree_finding_code)(p->code - P_DIR)));
	if (p->code - P_DIR == HTREE_B_UNREADABLE)
		append(&t, ": %s", error_message((errcode_t)p->value));
	else if (p->code - P_DIR >= HTREE_X_ROOT && p->value != p->expected)
		append(&t, " (%llu, expected %llu)",
		       (unsigned long long)p->value,
		       (unsigned long long)p->expected);
}

void problem_question(const struct problem *p, char *out, size_t size)
{
	const struct problem_info *info = problem_info(p->code);
	struct text t = { out, size, 0 };

	if (!size)
		return;
	*out = '\0';
	if (info->question)
		append_text(&t, info->question, p);
}
