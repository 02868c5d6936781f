-- On how many days the launcher saw a clip in the bin, and the last of them, in days since 1970: no clock that is set
-- wrong once empties the bin.
ALTER TABLE clip ADD COLUMN bin_days INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clip ADD COLUMN bin_day INTEGER;
