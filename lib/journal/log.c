/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The log of a journal: found whole transactions, then copied home. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "journal/log.h"
#include "journal/tags.h"

enum pass { SCAN, REVOKE, REPLAY };

/* One way through the log. */
struct walk {
	struct jnl_log *log;
	enum pass pass;
	uint32_t at;		/* next block to be read */
	uint32_t left;		/* blocks that may still be read: one round */
	uint32_t sequence;	/* of the transaction at hand */
	bool done;
	/* of the scan alone */
	uint64_t seconds;	/* time of the last sound commit */
	uint32_t crc;		/* version 1, of this transaction so far */
	enum jnl_damage doubt;	/* matters only where the transaction is whole */
	uint64_t doubt_block;
};

static void note_damage(struct jnl_log *log, enum jnl_damage what,
			uint32_t sequence, uint64_t block)
{
	if (log->damage)
		return;
	log->damage = what;
	log->damaged = sequence;
	log->damaged_block = block;
}

/* Nothing from the transaction at hand on is replayed. */
static void end_with(struct walk *w, enum jnl_damage what, uint64_t block)
{
	note_damage(w->log, what, w->sequence, block);
	w->done = true;
}

static void doubt(struct walk *w, enum jnl_damage what, uint64_t block)
{
	if (w->doubt)
		return;
	w->doubt = what;
	w->doubt_block = block;
}

/*
 * The number of the next block of the log; false where all were seen, which
 * ends the walk: no log is longer than its journal.
 */
static bool step(struct walk *w, uint32_t *block)
{
	const struct jnl_super *s = w->log->super;

	if (!w->left) {
		w->done = true;
		return false;
	}
	w->left--;
	*block = w->at++;
	if (w->at == s->end)
		w->at = s->first;
	return true;
}

static errcode_t read_block(struct walk *w, uint32_t block, uint8_t *data)
{
	return w->log->io.read(w->log->io.ctx, block, data);
}

/* ---- descriptor blocks */

/* The scan looks at targets, and with version 1 at the copies themselves. */
static void scan_copy(struct walk *w, const struct jnl_tag *tag,
		      uint32_t block)
{
	struct jnl_log *log = w->log;

	if (!log->io.allowed(log->io.ctx, tag->block))
		doubt(w, JNL_BAD_TARGET, tag->block);
	if (log->super->csum != JNL_CSUM_V1)
		return;
	if (read_block(w, block, log->data))
		doubt(w, JNL_BAD_READ, tag->block);
	else
		w->crc = jnl_crc32(w->crc, log->data, log->super->block_size);
}

static errcode_t replay_copy(struct walk *w, const struct jnl_tag *tag,
			     uint32_t block)
{
	struct jnl_log *log = w->log;
	const struct jnl_super *s = log->super;
	enum jnl_damage damage = JNL_SOUND;
	errcode_t err;

	if (jnl_revokes_test(&log->revokes, tag->block, w->sequence))
		return 0;
	if (read_block(w, block, log->data))
		damage = JNL_BAD_READ;
	else if (jnl_has_tail(s) && tag->csum != jnl_data_csum(s, w->sequence,
							       log->data))
		damage = JNL_BAD_DATA;
	if (damage) {
		note_damage(log, damage, w->sequence, tag->block);
		log->skipped++;
		return 0;
	}
	if (tag->flags & JNL_TAG_ESCAPED)
		jnl_put_be32(log->data, JNL_MAGIC);
	err = log->io.write(log->io.ctx, tag->block, log->data);
	if (!err)
		log->written++;
	return err;
}

static errcode_t do_descriptor(struct walk *w)
{
	struct jnl_log *log = w->log;
	struct jnl_tags tags;
	struct jnl_tag tag;
	errcode_t err = 0;
	uint32_t block;

	if (w->pass == SCAN) {
		if (!jnl_tail_ok(log->super, log->block))
			doubt(w, JNL_BAD_DESCRIPTOR, 0);
		w->crc = log->super->csum != JNL_CSUM_V1 ? 0 :
			 jnl_crc32(w->crc, log->block, log->super->block_size);
	}
	jnl_tags_begin(&tags, log->super, log->block);
	while (!err && jnl_tags_next(&tags, &tag) && step(w, &block)) {
		if (w->pass == SCAN)
			scan_copy(w, &tag, block);
		else if (w->pass == REPLAY)
			err = replay_copy(w, &tag, block);
	}
	return err;
}

/* ---- revoke blocks */

static bool revoke_count_ok(const struct walk *w, uint32_t *count)
{
	*count = jnl_be32(w->log->block + JR_COUNT);
	return *count <= jnl_room(w->log->super);
}

static errcode_t do_revoke(struct walk *w)
{
	struct jnl_log *log = w->log;
	uint32_t size = log->super->wide ? 8 : 4, count;
	errcode_t err = 0;

	if (w->pass == SCAN) {
		if (!jnl_tail_ok(log->super, log->block))
			doubt(w, JNL_BAD_DESCRIPTOR, 0);
		else if (!revoke_count_ok(w, &count))
			doubt(w, JNL_BAD_REVOKE, 0);
		return 0;
	}
	if (w->pass != REVOKE || !log->super->revoke ||
	    !revoke_count_ok(w, &count))
		return 0;
	for (uint32_t at = JR_RECORDS; !err && at + size <= count; at += size) {
		const uint8_t *p = log->block + at;
		uint64_t block = size == 8 ? jnl_be64(p) : jnl_be32(p);

		if (log->io.allowed(log->io.ctx, block))
			err = jnl_revokes_add(&log->revokes, block,
					      w->sequence);
	}
	return err;
}

/* ---- commit blocks */

/* Version 1: a commit block without a checksum is sound too. */
static bool crc_ok(const struct walk *w)
{
	const uint8_t *p = w->log->block;

	if (w->log->super->csum != JNL_CSUM_V1)
		return true;
	if (!p[JC_CSUM_TYPE] && !p[JC_CSUM_SIZE] && !jnl_be32(p + JC_CSUM))
		return true;
	return p[JC_CSUM_TYPE] == JC_CRC32 && p[JC_CSUM_SIZE] == 4 &&
	       jnl_be32(p + JC_CSUM) == w->crc;
}

/*
 * A wrong checksum in a transaction that is older than the one before it is
 * no damage: it is what the last round left there, and the log ends.
 */
static void scan_commit(struct walk *w)
{
	struct jnl_log *log = w->log;
	uint64_t seconds = jnl_be64(log->block + JC_SECONDS);
	bool ok = jnl_commit_ok(log->super, log->block);

	if (!ok || (w->doubt && jnl_has_tail(log->super)))
		w->done = seconds < w->seconds;
	if (w->done)
		return;
	if (w->doubt) {
		end_with(w, w->doubt, w->doubt_block);
	} else if (!ok || !crc_ok(w)) {
		end_with(w, JNL_BAD_COMMIT, 0);
	} else {
		w->seconds = seconds;
		w->crc = ~0u;
		log->transactions++;
	}
}

/* ---- the walk */

static errcode_t do_block(struct walk *w)
{
	switch (jnl_be32(w->log->block + 4)) {
	case JNL_DESCRIPTOR:
		return do_descriptor(w);
	case JNL_REVOKE:
		return do_revoke(w);
	case JNL_COMMIT:
		if (w->pass == SCAN)
			scan_commit(w);
		if (!w->done)
			w->sequence++;
		return 0;
	default:
		w->done = true;
		return 0;
	}
}

static errcode_t walk(struct jnl_log *log, enum pass pass)
{
	const struct jnl_super *s = log->super;
	struct walk w = {
		.log = log, .pass = pass, .at = s->start,
		.left = s->start ? s->end - s->first : 0,
		.sequence = s->sequence, .crc = ~0u
	};
	errcode_t err = 0;
	uint32_t block;

	while (!err && !w.done && step(&w, &block)) {
		if (pass != SCAN && w.sequence == log->end)
			break;
		if (read_block(&w, block, log->block)) {
			end_with(&w, JNL_BAD_READ, 0);
			break;
		}
		if (jnl_be32(log->block) != JNL_MAGIC ||
		    jnl_be32(log->block + 8) != w.sequence)
			break;
		err = do_block(&w);
	}
	if (pass == SCAN)
		log->end = w.sequence;
	return err;
}

errcode_t jnl_log_scan(struct jnl_log *log, const struct jnl_super *super,
		       const struct jnl_io *io)
{
	errcode_t err;

	*log = (struct jnl_log){ .super = super, .io = *io };
	log->block = malloc(super->block_size);
	log->data = malloc(super->block_size);
	if (!log->block || !log->data)
		return ENOMEM;
	err = walk(log, SCAN);
	return err ? err : walk(log, REVOKE);
}

errcode_t jnl_log_replay(struct jnl_log *log)
{
	return walk(log, REPLAY);
}

void jnl_log_free(struct jnl_log *log)
{
	jnl_revokes_free(&log->revokes);
	free(log->block);
	free(log->data);
	log->block = log->data = NULL;
}
