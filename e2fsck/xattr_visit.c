/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every attribute of an inode or of a block, looked at one by one. */
#include <errno.h>
#include "htree/ondisk.h"
#include "xattr_facts.h"

#define INDEX_ACL_ACCESS	2
#define INDEX_ACL_DEFAULT	3

static errcode_t report(struct xattr_visit *v, enum problem_code code,
			const struct e2dx_xattr *x)
{
	struct problem p = {
		.code = code, .ino = v->ino, .block = v->block,
		.name = x->name, .name_len = (uint8_t)x->name_len,
		.value = (uint64_t)x->index
	};

	return problem_list_add(v->out, &p);
}

static errcode_t note_ref(struct xattr_visit *v, const struct e2dx_xattr *x)
{
	struct xattr_ref *r = list_add(v->refs, sizeof(*r));

	if (!r)
		return ENOMEM;
	*r = (struct xattr_ref){
		.block = v->block, .ino = v->ino, .generation = v->generation,
		.value = x->value_ino, .size = x->value_len,
		.hash = htree_le32(x->hash),
		.names = { e2dx_xattr_hash_name(x, false),
			   e2dx_xattr_hash_name(x, true) }
	};
	return 0;
}

static errcode_t visit(void *ctx, const struct e2dx_xattr *x)
{
	struct xattr_visit *v = ctx;

	errcode_t err;

	if (x->value_ino)
		return note_ref(v, x);
	if (!e2dx_xattr_hash_ok(x, v->block)) {
		if (v->directory && e2dx_xattr_is_inline(x))
			v->stale = true;
		else if ((err = report(v, P_XATTR_HASH, x)))
			return err;
	}
	if ((x->index == INDEX_ACL_ACCESS || x->index == INDEX_ACL_DEFAULT) &&
	    !xattr_acl_ok(x->value, x->value_len))
		return report(v, P_XATTR_ACL, x);
	if (e2dx_xattr_is_inline(x))
		v->data = true;
	if (!v->policy && e2dx_xattr_is(x, E2DX_XATTR_ENCRYPTION, "c"))
		v->policy = xattr_policy(x->value, x->value_len);
	return 0;
}

errcode_t xattr_visit_area(struct xattr_visit *v,
			   const struct e2dx_xattr_area *a)
{
	static const enum problem_code codes[] = {
		[E2DX_XATTR_OVERLAP] = P_XATTR_OVERLAP,
		[E2DX_XATTR_BEYOND] = P_XATTR_BEYOND,
		[E2DX_XATTR_INDEX] = P_XATTR_INDEX
	};
	enum e2dx_xattr_fault fault;
	struct e2dx_xattr bad;
	errcode_t err;

	fault = e2dx_xattr_check(a, v->block, visit, v, &bad, &err);
	return fault ? report(v, codes[fault], &bad) : err;
}
