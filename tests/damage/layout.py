# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields of the on-disk structures: name, offset, bytes, and what they hold.

What they hold decides which wrong values are interesting: "n" a number, "b" a
block, "i" an inode, "f" flags (one bit changes), "s" a size or count.
"""


def fields(text):
    out = []
    for line in text.split(";"):
        name, offset, size, *kind = line.split()
        out.append((name, int(offset, 0), int(size), kind[0] if kind else "n"))
    return out


SUPER = fields("""s_inodes_count 0 4 s; s_blocks_count_lo 4 4 s;
 s_r_blocks_count_lo 8 4 s; s_free_blocks_count_lo 12 4 s;
 s_free_inodes_count 16 4 s; s_first_data_block 20 4 b; s_log_block_size 24 4;
 s_log_cluster_size 28 4; s_blocks_per_group 32 4 s; s_clusters_per_group 36 4
 s; s_inodes_per_group 40 4 s; s_mtime 44 4; s_wtime 48 4; s_mnt_count 52 2;
 s_max_mnt_count 54 2; s_magic 56 2; s_state 58 2 f; s_errors 60 2;
 s_minor_rev_level 62 2; s_lastcheck 64 4; s_checkinterval 68 4;
 s_creator_os 72 4; s_rev_level 76 4; s_def_resuid 80 2; s_def_resgid 82 2;
 s_first_ino 84 4 i; s_inode_size 88 2 s; s_block_group_nr 90 2;
 s_feature_compat 92 4 f; s_feature_incompat 96 4 f; s_feature_ro_compat 100 4
 f; s_uuid 104 1; s_volume_name 120 1; s_last_mounted 136 1;
 s_algorithm_usage_bitmap 200 4; s_prealloc_blocks 204 1;
 s_prealloc_dir_blocks 205 1; s_reserved_gdt_blocks 206 2 s; s_journal_uuid
 208 1; s_journal_inum 224 4 i; s_journal_dev 228 4; s_last_orphan 232 4 i;
 s_hash_seed 236 4; s_def_hash_version 252 1; s_jnl_backup_type 253 1;
 s_desc_size 254 2 s; s_default_mount_opts 256 4 f; s_first_meta_bg 260 4;
 s_mkfs_time 264 4; s_jnl_blocks 268 4; s_blocks_count_hi 336 4;
 s_r_blocks_count_hi 340 4; s_free_blocks_count_hi 344 4; s_min_extra_isize
 348 2 s; s_want_extra_isize 350 2 s; s_flags 352 4 f; s_raid_stride 356 2;
 s_mmp_interval 358 2; s_mmp_block 360 8 b; s_raid_stripe_width 368 4;
 s_log_groups_per_flex 372 1; s_checksum_type 373 1; s_kbytes_written 376 8;
 s_snapshot_inum 384 4 i; s_error_count 404 4; s_first_error_ino 412 4 i;
 s_usr_quota_inum 576 4 i; s_grp_quota_inum 580 4 i; s_overhead_clusters 584 4
 s; s_backup_bgs 588 4; s_encrypt_algos 596 1; s_encrypt_pw_salt 600 1;
 s_lpf_ino 616 4 i; s_prj_quota_inum 620 4 i; s_checksum_seed 624 4;
 s_wtime_hi 628 1; s_encoding 636 2; s_encoding_flags 638 2 f;
 s_orphan_file_inum 640 4 i; s_reserved 700 4""")

DESCRIPTOR = fields("""bg_block_bitmap_lo 0 4 b; bg_inode_bitmap_lo 4 4 b;
 bg_inode_table_lo 8 4 b; bg_free_blocks_count_lo 12 2 s;
 bg_free_inodes_count_lo 14 2 s; bg_used_dirs_count_lo 16 2 s; bg_flags 18 2
 f; bg_exclude_bitmap_lo 20 4 b; bg_block_bitmap_csum_lo 24 2;
 bg_inode_bitmap_csum_lo 26 2; bg_itable_unused_lo 28 2 s; bg_checksum 30 2""")
DESCRIPTOR_64 = fields("""bg_block_bitmap_hi 32 4; bg_inode_bitmap_hi 36 4;
 bg_inode_table_hi 40 4; bg_free_blocks_count_hi 44 2;
 bg_free_inodes_count_hi 46 2; bg_used_dirs_count_hi 48 2;
 bg_itable_unused_hi 50 2; bg_block_bitmap_csum_hi 56 2;
 bg_inode_bitmap_csum_hi 58 2; bg_reserved 60 4""")

INODE = fields("""i_mode 0 2 f; i_uid 2 2; i_size_lo 4 4 s; i_atime 8 4; i_ctime
 12 4; i_mtime 16 4; i_dtime 20 4; i_gid 24 2; i_links_count 26 2 s;
 i_blocks_lo 28 4 s; i_flags 32 4 f; i_version 36 4; i_block[0] 40 4 b;
 i_block[1] 44 4 b; i_block[2] 48 4 b; i_block[3] 52 4 b; i_block[5] 60 4 b;
 i_block[11] 84 4 b; i_block[12] 88 4 b; i_block[13] 92 4 b; i_block[14] 96 4
 b; i_generation 100 4; i_file_acl_lo 104 4 b; i_size_high 108 4; i_obso_faddr
 112 4 b; i_blocks_high 116 2; i_file_acl_high 118 2; i_uid_high 120 2;
 i_gid_high 122 2; i_checksum_lo 124 2; i_reserved 126 2""")
INODE_EXTRA = fields("""i_extra_isize 128 2 s; i_checksum_hi 130 2;
 i_ctime_extra 132 4; i_mtime_extra 136 4; i_atime_extra 140 4; i_crtime 144
 4; i_crtime_extra 148 4; i_version_hi 152 4; i_projid 156 4""")

EXTENT_HEADER = fields("""eh_magic 0 2; eh_entries 2 2 s; eh_max 4 2 s; eh_depth
 6 2 s; eh_generation 8 4""")
EXTENT_INDEX = fields("""ei_block 0 4 s; ei_leaf_lo 4 4 b; ei_leaf_hi 8 2;
 ei_unused 10 2""")
EXTENT = fields("""ee_block 0 4 s; ee_len 4 2 s; ee_start_hi 6 2; ee_start_lo 8
 4 b""")

DIRENT = fields("""inode 0 4 i; rec_len 4 2 s; name_len 6 1 s; file_type 7 1;
 name[0] 8 1; name[1] 9 1""")
DX_ROOT = fields("""dot.inode 0 4 i; dot.rec_len 4 2 s; dotdot.inode 12 4 i;
 dotdot.rec_len 16 2 s; dotdot.name_len 18 1; reserved_zero 24 4;
 hash_version 28 1; info_length 29 1; indirect_levels 30 1; unused_flags 31 1
 f""")
DX_TABLE = fields("limit 0 2 s; count 2 2 s; block 4 4 s")
DX_ENTRY = fields("hash 0 4; block 4 4 s")
DIR_TAIL = fields("""det_reserved_zero1 0 4; det_rec_len 4 2;
 det_reserved_zero2 6 1; det_reserved_ft 7 1; det_checksum 8 4""")

EA_HEADER = fields("""h_magic 0 4; h_refcount 4 4 s; h_blocks 8 4 s; h_hash 12
 4; h_checksum 16 4; h_reserved 20 4""")
EA_ENTRY = fields("""e_name_len 0 1 s; e_name_index 1 1; e_value_offs 2 2 s;
 e_value_inum 4 4 i; e_value_size 8 4 s; e_hash 12 4; e_name[0] 16 1""")
ACL = fields("a_version 0 4; e_tag 4 2 f; e_perm 6 2; e_id 8 4")

JOURNAL = fields("""h_magic 0 4; h_blocktype 4 4; h_sequence 8 4; s_blocksize 12
 4 s; s_maxlen 16 4 s; s_first 20 4 s; s_sequence 24 4; s_start 28 4 s;
 s_errno 32 4; s_feature_compat 36 4 f; s_feature_incompat 40 4 f;
 s_feature_ro_compat 44 4 f; s_uuid 48 1; s_nr_users 64 4 s; s_dynsuper 68 4;
 s_max_transaction 72 4; s_max_trans_data 76 4; s_checksum_type 80 1;
 s_num_fc_blks 84 4 s; s_head 88 4 s; s_checksum 252 4; s_users 256 1""")

ORPHAN_TAIL = fields("ob_magic 0 4; ob_checksum 4 4")
MMP = fields("""mmp_magic 0 4; mmp_seq 4 4; mmp_time 8 8; mmp_nodename 16 1;
 mmp_bdevname 80 1; mmp_check_interval 112 2; mmp_checksum 1020 4""")
QUOTA_HEADER = fields("""dqh_magic 0 4; dqh_version 4 4; dqi_bgrace 8 4;
 dqi_igrace 12 4; dqi_flags 16 4 f; dqi_blocks 20 4 s; dqi_free_blk 24 4 s;
 dqi_free_entry 28 4 s""")
QUOTA_BLOCK = fields("""dqdh_next_free 0 4 s; dqdh_prev_free 4 4 s;
 dqdh_entries 8 2 s""")
QUOTA_ENTRY = fields("""dqb_id 0 4; dqb_ihardlimit 8 8; dqb_isoftlimit 16 8;
 dqb_curinodes 24 8 s; dqb_bhardlimit 32 8; dqb_bsoftlimit 40 8; dqb_curspace
 48 8 s; dqb_btime 56 8; dqb_itime 64 8""")
