-- Social: accounts, post rules, posts and deliveries.

-- A row is a connected account of a network. Its credentials are stored with the secrets.
CREATE TABLE account (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  network        TEXT NOT NULL,
  name           TEXT NOT NULL,
  -- Host and port, to be shown.
  host           TEXT NOT NULL,
  link           TEXT,
  -- What the network accepts, as JSON of the contract's AccountLimits.
  limits         TEXT NOT NULL,
  -- What refusals taught about its destination, such as a field that each post needs, as JSON.
  learned        TEXT NOT NULL DEFAULT '{}',
  -- The size that its files may have until then, since a larger one was refused.
  bytes_max      INTEGER,
  bytes_until_ms INTEGER,
  kept           TEXT NOT NULL CHECK (kept IN ('keyring', 'file')),
  enabled        INTEGER NOT NULL DEFAULT 1,
  added_ms       INTEGER NOT NULL,
  sent           INTEGER NOT NULL DEFAULT 0,
  sent_ms        INTEGER,
  -- What failed last; null again after the next delivery.
  fault          TEXT,
  fault_ms       INTEGER,
  -- Why Kit sends nothing until a person does something.
  stopped        TEXT,
  wait_until_ms  INTEGER,
  wait_because   TEXT CHECK (wait_because IN ('rate-limit', 'failure')),
  -- Whether it takes only the demo's posts, which nobody else sees.
  demo           INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A row is one post rule.
CREATE TABLE post_rule (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  pattern          TEXT NOT NULL,
  -- Ids, a JSON list.
  accounts         TEXT NOT NULL,
  text             TEXT NOT NULL,
  attach           TEXT NOT NULL CHECK (attach IN ('clip', 'screenshot', 'none')),
  without          TEXT NOT NULL CHECK (without IN ('ask', 'post')),
  alt_text         TEXT NOT NULL,
  content_warning  TEXT NOT NULL,
  visibility       TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'followers')),
  approval         TEXT NOT NULL CHECK (approval IN ('ask', 'automatic')),
  cooldown_s       INTEGER NOT NULL,
  enabled          INTEGER NOT NULL,
  created_ms       INTEGER NOT NULL,
  posts            INTEGER NOT NULL DEFAULT 0,
  -- When its newest post was made; its cooldown counts from there.
  posted_ms        INTEGER,
  held             INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A row is one setting of posts, as JSON.
CREATE TABLE post_setting (
  name   TEXT PRIMARY KEY,
  value  TEXT NOT NULL
) STRICT;

-- A row is one post, made from one event, or by a person from a clip.
CREATE TABLE post (
  seq              INTEGER PRIMARY KEY AUTOINCREMENT,
  id               TEXT NOT NULL UNIQUE,
  -- An event that is dispatched twice makes no second post. Null if a person made the post from a clip.
  event            TEXT UNIQUE,
  event_seq        INTEGER,
  event_id         TEXT,
  -- The clip that a person made the post from, and its title then; null for a post of an event.
  from_clip        TEXT,
  title            TEXT,
  game             TEXT,
  rule             TEXT,
  state            TEXT NOT NULL
    CHECK (state IN ('draft', 'held', 'approved', 'sending', 'sent', 'unsure', 'failed', 'skipped', 'expired')),
  text             TEXT NOT NULL,
  alt_text         TEXT NOT NULL,
  -- The templates of both until the clip's length is known; null where they do not use it, or a person edited them.
  text_later       TEXT,
  alt_later        TEXT,
  content_warning  TEXT NOT NULL,
  attach           TEXT NOT NULL CHECK (attach IN ('clip', 'screenshot', 'none')),
  without          TEXT NOT NULL CHECK (without IN ('ask', 'post')),
  visibility       TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'followers')),
  footage          TEXT NOT NULL CHECK (footage IN ('none', 'pending', 'ready', 'missing')),
  footage_says     TEXT,
  clip             TEXT,
  -- The length of the whole clip.
  clip_seconds     REAL,
  -- The part of the clip that is posted, and the part around the event, as JSON of the contract's PostPart; null for the whole clip.
  part             TEXT,
  moment_part      TEXT,
  -- Where the clip shows the event; null if its own picture shows it.
  picture_s        REAL,
  asks             TEXT,
  -- Why its rule or a limit held it back when its event arrived; it stays when a person has it posted anyway.
  held             TEXT,
  -- 1: Kit sends it once its footage is there, and asks nobody.
  automatic        INTEGER NOT NULL DEFAULT 0,
  happened_ms      INTEGER NOT NULL,
  created_ms       INTEGER NOT NULL,
  expires_ms       INTEGER,
  -- When an approved post is sent at the earliest.
  sends_ms         INTEGER,
  CHECK ((event IS NULL) = (from_clip IS NOT NULL) AND (event IS NULL) = (event_seq IS NULL))
) STRICT;
CREATE INDEX post_by_state ON post (state, seq);
-- The posts that a cooldown counts from.
CREATE INDEX post_by_event_id ON post (event_id, happened_ms) WHERE rule IS NOT NULL AND held IS NULL;
-- Posts that wait for their footage.
CREATE INDEX post_waits_for_footage ON post (seq) WHERE footage = 'pending';

-- A row says that a post of a clip shows a moment: an event or that clip, by its id. Posts with a common moment show the same.
CREATE TABLE post_moment (
  moment    TEXT NOT NULL,
  post_seq  INTEGER NOT NULL REFERENCES post (seq) ON DELETE CASCADE,
  PRIMARY KEY (moment, post_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX post_moment_of_post ON post_moment (post_seq);

-- A row is the delivery of one post to one account, created with the draft. It changes only while its post is 'sending'.
CREATE TABLE delivery (
  seq           INTEGER PRIMARY KEY,
  post_seq      INTEGER NOT NULL REFERENCES post (seq) ON DELETE CASCADE,
  account       TEXT NOT NULL,
  network       TEXT NOT NULL,
  -- The account's name, for when the account is gone.
  name          TEXT NOT NULL,
  state         TEXT NOT NULL
    CHECK (state IN ('waiting', 'preparing', 'sending', 'sent', 'maybe', 'failed', 'dropped')),
  -- The network recognises a repeat by it. It changes when a person has the post sent again.
  key           TEXT NOT NULL,
  says          TEXT,
  tries         INTEGER NOT NULL DEFAULT 0,
  next_try_ms   INTEGER,
  -- When the first of the failures in a row was.
  failing_ms    INTEGER,
  -- When the first request went out that may have made the post, as far as anyone knows; null while there is none.
  committed_ms  INTEGER,
  -- 'offered': it failed since its footage is missing, and Kit offers to send it without. 'agreed': a person agreed to that.
  bare          TEXT CHECK (bare IN ('offered', 'agreed')),
  -- What the network gave for a later step, such as the id of an uploaded video, as JSON.
  remembered    TEXT NOT NULL DEFAULT '{}',
  -- The size that its footage must have, since the network refused a larger file; null before.
  bytes_max     INTEGER,
  sent_ms       INTEGER,
  link          TEXT,
  notes         TEXT NOT NULL DEFAULT '[]',
  -- Whether its account is the demo's, for when the account is gone.
  demo          INTEGER NOT NULL DEFAULT 0,
  UNIQUE (post_seq, account)
) STRICT;
CREATE INDEX delivery_of_account ON delivery (account, state, seq);
