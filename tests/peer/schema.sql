CREATE TABLE humans (
    id            INTEGER PRIMARY KEY,
    name          TEXT NOT NULL,
    headline      TEXT NOT NULL,
    bio           TEXT NOT NULL,
    city          TEXT NOT NULL,
    state         TEXT NOT NULL,
    state_folded  TEXT NOT NULL,
    gender        TEXT NOT NULL,
    hourly_rate   REAL NOT NULL,
    rating        REAL NOT NULL,
    total_reviews INTEGER NOT NULL,
    is_verified   INTEGER NOT NULL,
    is_available  INTEGER NOT NULL,
    photos        TEXT NOT NULL
);

CREATE TABLE skills (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    folded   TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL
);

-- Repeats what searches filter and sort by, so that a search by skill reads one index only.
CREATE TABLE human_skills (
    id           INTEGER NOT NULL REFERENCES humans (id),
    position     INTEGER NOT NULL,
    skill_id     INTEGER NOT NULL REFERENCES skills (id),
    state_folded TEXT NOT NULL,
    gender       TEXT NOT NULL,
    hourly_rate  REAL NOT NULL,
    rating       REAL NOT NULL,
    PRIMARY KEY (id, position)
) WITHOUT ROWID;
