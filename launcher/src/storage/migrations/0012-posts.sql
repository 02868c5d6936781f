-- Posts: accounts, what becomes of social triggers, and every post on its way. What opens an account is kept elsewhere.
CREATE TABLE account (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  network        TEXT NOT NULL,
  name           TEXT NOT NULL,
  -- Host and port, to be shown.
  host           TEXT NOT NULL,
  link           TEXT,
  -- What the network takes, as JSON of the contract's AccountLimits.
  limits         TEXT NOT NULL,
  kept           TEXT NOT NULL CHECK (kept IN ('keyring', 'file')),
  enabled        INTEGER NOT NULL DEFAULT 1,
  added_ms       INTEGER NOT NULL,
  sent           INTEGER NOT NULL DEFAULT 0,
  sent_ms        INTEGER,
  -- What went wrong last, until something is delivered after it.
  fault          TEXT,
  fault_ms       INTEGER,
  -- Why nothing is sent until a person did something.
  stopped        TEXT,
  wait_until_ms  INTEGER,
  wait_because   TEXT CHECK (wait_because IN ('rate-limit', 'failure'))
) STRICT;

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
  -- The moment of the newest post, from which its cooldown counts.
  posted_ms        INTEGER,
  held             INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE post_setting (
  name   TEXT PRIMARY KEY,
  value  TEXT NOT NULL
) STRICT;

CREATE TABLE post (
  seq              INTEGER PRIMARY KEY AUTOINCREMENT,
  id               TEXT NOT NULL UNIQUE,
  -- One post an event: handed over twice, it makes no second one.
  event            TEXT NOT NULL UNIQUE,
  event_seq        INTEGER NOT NULL,
  event_id         TEXT NOT NULL,
  game             TEXT,
  rule             TEXT,
  state            TEXT NOT NULL
    CHECK (state IN ('draft', 'approved', 'sending', 'sent', 'unsure', 'failed', 'skipped', 'expired')),
  text             TEXT NOT NULL,
  alt_text         TEXT NOT NULL,
  -- What both are filled from once the clip's length is known; null where they do not tell it, or were edited.
  text_later       TEXT,
  alt_later        TEXT,
  content_warning  TEXT NOT NULL,
  attach           TEXT NOT NULL CHECK (attach IN ('clip', 'screenshot', 'none')),
  without          TEXT NOT NULL CHECK (without IN ('ask', 'post')),
  visibility       TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'followers')),
  footage          TEXT NOT NULL CHECK (footage IN ('none', 'pending', 'ready', 'missing')),
  footage_says     TEXT,
  clip             TEXT,
  clip_seconds     REAL,
  asks             TEXT,
  -- Sent by itself once its footage is there: no person was asked.
  automatic        INTEGER NOT NULL DEFAULT 0,
  happened_ms      INTEGER NOT NULL,
  created_ms       INTEGER NOT NULL,
  expires_ms       INTEGER,
  -- Of an approved one: not before.
  sends_ms         INTEGER
) STRICT;
CREATE INDEX post_by_state ON post (state, seq);
-- Those that wait for their footage, and there are few.
CREATE INDEX post_waits_for_footage ON post (seq) WHERE footage = 'pending';

-- A post's way to one account, made with the draft. It moves only while its post is 'sending'.
CREATE TABLE delivery (
  seq           INTEGER PRIMARY KEY,
  post_seq      INTEGER NOT NULL REFERENCES post (seq) ON DELETE CASCADE,
  account       TEXT NOT NULL,
  network       TEXT NOT NULL,
  -- The account's name, which outlives the account.
  name          TEXT NOT NULL,
  state         TEXT NOT NULL
    CHECK (state IN ('waiting', 'preparing', 'sending', 'sent', 'maybe', 'failed', 'dropped')),
  -- What makes a repeat recognisable to the network; anew when a person has it sent again.
  key           TEXT NOT NULL,
  says          TEXT,
  tries         INTEGER NOT NULL DEFAULT 0,
  next_try_ms   INTEGER,
  -- Since when it fails, of a row of failures.
  failing_ms    INTEGER,
  -- When the first request went out of which nobody knows whether it made the post; null while there is none.
  committed_ms  INTEGER,
  -- It failed for want of its footage, and a person is told that it goes without when it is sent again; or they did that.
  bare          TEXT CHECK (bare IN ('offered', 'agreed')),
  -- What the network gave for a later step, such as an uploaded video's id, as JSON.
  remembered    TEXT NOT NULL DEFAULT '{}',
  sent_ms       INTEGER,
  link          TEXT,
  notes         TEXT NOT NULL DEFAULT '[]',
  UNIQUE (post_seq, account)
) STRICT;
CREATE INDEX delivery_of_account ON delivery (account, state, seq);
