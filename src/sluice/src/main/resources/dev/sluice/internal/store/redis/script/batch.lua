-- Applies one chunk of a batch of statements exactly once. The files in this folder form one script, in the order of
-- ExchangeScript:
--
--   batch    reads the arguments, and checks whether this batch was applied before
--   shares   the permits of a counter that instances hold, or held when their lease lapsed
--   fleet    the live instances
--   rules    the common parts of all rules. One file for each rule follows: total, frame, bucket, log, slots
--   news     the news for other instances
--   statements   reads, counts, grants, and writes all statements
--   reply    stores the shares, and the reply in case the batch is retried; publishes the news
--
-- KEYS[1]  the shares, a hash. For each counter, it contains the permits that each instance holds, or held when its
--          lease lapsed. For each instance and chunk, it contains the reply to the last batch ("record"), which is
--          later reduced to the batch's number ("stub"). In one shard, it also contains the live instances.
-- KEYS[2]  since when Redis has had data of this shard, in ms since 1970. If this is later than a reply that an
--          instance has received, data was lost. A space and FORMAT follow. FORMAT is the number of the format of all
--          these keys.
-- KEYS[3…] the counters. Each frame is followed by its earlier frames, newest first.
--          On a cluster, all keys have the hash tag of KEYS[1].
-- ARGV[1]  the batch's sequence, in 19 digits, so that comparing the text compares the numbers
-- ARGV[2]  how long a counter outlives its window, in ms
-- ARGV[3]  how long the record is kept, in ms
-- ARGV[4]  the sender's name
-- ARGV[5]  the channel for news for all instances; the channel of an instance has the suffix `:@` and its name
-- ARGV[6]  the number of this chunk in its batch, starting at 0
-- ARGV[7]  how long a stub is kept, in ms
-- ARGV[8]  when the sender created the batch, by this clock, in ms since 1970
-- ARGV[9]  how long the sender is considered alive without another report, in ms; 0 if it is shutting down; empty if
--          the batch does not state it
-- ARGV[10] when the sender began to use its limits, by this clock, in ms since 1970; 0 if its limits have never changed
-- ARGV[11…] for each counter: the used, held and needed permits; the smallest useful part of the needed permits; flags;
--           the number of failed recalls for these calls; the wanted permits; the lease in ms; the letter of the rule;
--           if operators give calls, how many they give now and how many the sender knows to have been given before;
--           and the figures of the rule. The flags are the sum of 1 if a grant is used at once, 2 if calls of the
--           sender may return their permits, 4 if the calls that need permits may return them, and 8 if operators give
--           calls.
--
-- Reply    numbers separated by spaces:
--          * the clock in ms
--          * the number of live instances and the sender's rank among them, starting at 0 (0 0 if the batch did not
--            request it, or was applied before)
--          * 1 if this batch is recorded; 0 if it has changed nothing, so that it may be applied again
--          * the sender's last batch that was recorded before; 0 if none
--          * if there was no record, since when Redis has had data; otherwise 0
--          * the clock when the batch was applied
--          * for each counter: total (with `+` and the number of given calls, if operators have given any), granted,
--            elsewhere (-1 if other instances hold nothing, but have calls in flight that may return their permits),
--            and the details of the rule
--          If only the stub of this batch is left, `!` follows the clock of the batch (0 if unknown). Then follows
--          `index:permits` for each counter that used a grant at once. The error STALE means that a later batch was
--          applied before. The error FORGOTTEN means that the batch is so old that even its stub may be gone.
--
-- Why this is a script: the script checks whether the batch was applied, how many permits remain and who holds them,
-- and it takes permits. All this must be one atomic step. Between two commands, another instance could take the
-- remaining permits, and a repeated batch could be counted twice. Redis runs nothing else during a script, and
-- propagates its effects to replicas and the append-only file as a unit.
--
-- Java alone defines the constants that it shares with the script: `Java.BusyPeriods.MOST` is a constant of the class
-- BusyPeriods, and ExchangeScript inserts its value when it builds the script.

-- The script reads the clock before it writes. Before version 5, Redis allows this only if it replicates the effects
-- instead of the script.
if redis.replicate_commands then
  redis.replicate_commands()
end

local call = redis.call
local pcall = redis.pcall
local ceil, floor, max, min, match, gmatch = math.ceil, math.floor, math.max, math.min, string.match, string.gmatch
local tonumber = tonumber

-- The milliseconds that are added to the TTL of the shares, so that it rarely needs to be set.
local AMPLE = 5000
-- Every ten seconds, each instance checks about this number of fields in the shares, and removes expired fields.
local SWEEP_EVERY, SWEPT = 10000, 50
-- The TTL of KEYS[2] in milliseconds. It is longer than the lifetime of any counter.
local AGES = 11 * 366 * 86400000
-- The number of the format of everything that this script stores, for later versions of Sluice. Nothing reads it yet.
local FORMAT = 1
-- The maximum number of digits in a stored number, and the maximum length of a field in the shares. If a value is
-- longer, another program has written it under our key, and the script removes or replaces it.
local LONGEST_NUMBER, LONGEST_FIELD, LONGEST_BIRTH = Java.StoredForm.LONGEST_NUMBER, Java.StoredForm.LONGEST_FIELD, 20
-- The largest count of a window. Use beyond that is not counted, so a count has at most LONGEST_NUMBER digits. If
-- another program has written a larger count with at most LONGEST_COUNT digits, it is treated as this maximum.
local MOST_COUNT, LONGEST_COUNT = Java.StoredForm.MOST_COUNT, Java.StoredForm.LONGEST_COUNT
-- The maximum number of arguments of one command after its key. It is an even number. ElastiCache Serverless accepts
-- 3,999 arguments in total. Lua's stack has room for about 8000.
local MOST_ARGUMENTS = 3990

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

-- A number as text that Redis and Java can parse. Lua itself writes at most 14 digits.
local function text(number)
  if number == 0 then
    return '0'
  end
  return number < 1e14 and number or string.format('%.0f', number)
end

-- A stored number; nil if Sluice cannot have written it.
local function number(digits)
  return digits and #digits <= LONGEST_NUMBER and tonumber(digits) or nil
end

-- The reply of a command that reads one of our keys; nil if there is no value. A value of another type is removed, and
-- the result is also nil. Any other error, such as a missing permission, ends the script. The first command encounters
-- it, so nothing has been applied yet.
local function find(command, key, ...)
  local reply = pcall(command, key, ...)
  if type(reply) ~= 'table' or not reply.err then
    return reply
  end
  if reply.err:find('WRONGTYPE', 1, true) then
    call('UNLINK', key)
    return nil
  end
  error(reply.err, 0)
end

-- The text under one of our keys; empty if there is none or if it is too long. Reads at most one character beyond the
-- maximum length.
local function findText(key, longest)
  local value = find('GETRANGE', key, 0, longest) or ''
  return #value <= longest and value or ''
end

-- Runs a command with many arguments, in parts.
local function callInParts(command, key, arguments)
  for from = 1, #arguments, MOST_ARGUMENTS do
    call(command, key, unpack(arguments, from, min(#arguments, from + MOST_ARGUMENTS - 1)))
  end
end

local function removeFields(key, fields)
  callInParts('HDEL', key, fields)
end

-- Has this batch been applied?

local sequence, grace, me = ARGV[1], tonumber(ARGV[2]), ARGV[4]
local clock = text(now)
local FIRST_COUNTER = 3
local RECORD = '!answer:' .. ARGV[6] .. ':' .. me
-- The record of the first chunk, the record of this chunk, and the shares of each counter in KEYS. Fields that are too
-- long are removed.
local fields = { '!answer:0:' .. me, RECORD, unpack(KEYS, FIRST_COUNTER) }
local FLEET = '!fleet'
if ARGV[9] ~= '' then
  fields[#fields + 1] = FLEET
end
local stored = find('HMGET', KEYS[1], unpack(fields)) or {}
for n = 1, #fields do
  if stored[n] and #stored[n] > LONGEST_FIELD then
    call('HDEL', KEYS[1], fields[n])
    stored[n] = false
  end
end

-- Parses a record: its sequence; when the shares expire; when they were last swept; the cursor for the next sweep;
-- `index:permits` for each counter that used a grant at once; and the reply.
local function parse(record)
  local sequence, keyStays, sweptAt, cursor, atOnce, reply = match(record or '', '^%d+ (%d+) (%d+) (%d+) (%d+)([^\n]*)\n(.*)$')
  if sequence and #sequence == #ARGV[1] then
    return sequence, number(keyStays) or 0, number(sweptAt) or now, number(cursor) and cursor or '0', atOnce, reply
  end
  return '', 0, now, '0', ''
end

-- The field of a stub. It is short, because an instance may leave a stub in each of 16 shards, and long names would
-- take most of the memory.
local STUB_NAME = 12

local function stubOf(record)
  return '!' .. redis.sha1hex(record):sub(1, 2 * STUB_NAME - 2):gsub('%x%x', function(byte)
    return string.char(tonumber(byte, 16))
  end)
end

local last, keyStays, sweptAt, cursor, atOnce, reply = parse(stored[2])
local stub, birth, appliedAt = nil, 0, nil
-- The sender has no record. It is new, was unresponsive for a long time, or all data was lost.
if not reply then
  stub = stubOf(RECORD)
  last, appliedAt, atOnce = match(call('HSTRLEN', KEYS[1], stub) <= LONGEST_FIELD and call('HGET', KEYS[1], stub) or '', '^%d+ (%d+) ?(%d*)(.*)$')
  last = last and ('0'):rep(#sequence - #last) .. last or ''
  birth = min(number(match(findText(KEYS[2], LONGEST_BIRTH), '^(%d+) %d+$')) or now, now)
  call('SET', KEYS[2], text(birth) .. ' ' .. FORMAT, 'PX', text(AGES))
end
if last == sequence then
  return clock .. ' 0 0 1 ' .. (reply or sequence .. ' ' .. text(birth) .. ' ' .. (number(appliedAt) or 0) .. ' !' .. atOnce)
end
if last > sequence or (ARGV[6] ~= '0' and parse(stored[1]) > sequence) then
  return redis.error_reply('STALE a later batch of this sender was applied before')
end
if last == '' and now - ARGV[8] >= tonumber(ARGV[7]) then
  return redis.error_reply('FORGOTTEN so old a batch of this sender may have been applied before')
end

-- Each batch checks the TTL of a different 32nd of its counters.
local turn = tonumber(sequence:sub(-4))

local limitsSince = ARGV[10] + 0

local atArgument, atKey = 11, FIRST_COUNTER

local function figure()
  atArgument = atArgument + 1
  return ARGV[atArgument - 1] + 0
end

-- The next counter, and its shares.
local function nextKey()
  atKey = atKey + 1
  return KEYS[atKey - 1], stored[atKey - 1]
end

-- The uses of a bucket or log: times and numbers of calls. A negative number is a refund.
local function uses()
  local list = {}
  for n = 1, figure() do
    list[n] = { at = now - figure(), count = figure() }
  end
  return list
end
