-- Each covers all columns that searches compare, and has the order of the pages.
CREATE INDEX humans_by_rating ON humans (rating DESC, id, hourly_rate, gender, state_folded);
CREATE INDEX humans_by_state ON humans (state_folded, rating DESC, id, hourly_rate, gender);
CREATE INDEX humans_by_gender ON humans (gender, rating DESC, id, hourly_rate, state_folded);
CREATE INDEX humans_by_rate ON humans (hourly_rate);
CREATE INDEX human_skills_by_skill ON human_skills (skill_id, rating DESC, id, hourly_rate, gender, state_folded);
CREATE INDEX human_skills_by_skill_and_state ON human_skills (skill_id, state_folded, rating DESC, id, hourly_rate, gender);
ANALYZE;
