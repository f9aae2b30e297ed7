-- One row for each window of each counter.
create table if not exists sluice_counter (
  id varchar(10000) primary key,
  cell text not null,
  expires_at bigint not null
);
-- What each instance was answered last, so that batches are idempotent: a retried batch gets the same answer and is not applied again.
create table if not exists sluice_answer (
  instance varchar(10000) primary key,
  sequence bigint not null,
  applied_at bigint not null,
  grants text not null,
  expires_at bigint not null
);
-- What exchanges mean for other instances; gone after some seconds.
create table if not exists sluice_news (
  id bigint generated always as identity primary key,
  sender varchar(10000) not null,
  -- the instance that it concerns; null for all
  told varchar(10000),
  kind varchar(20) not null,
  counters text not null,
  told_at bigint not null
);
