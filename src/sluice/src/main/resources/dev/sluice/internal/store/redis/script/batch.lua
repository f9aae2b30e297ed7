-- Applies one chunk of a batch of statements exactly once. The files in this folder form one script, in the order of
-- ExchangeScript:
--
--   batch    reads the arguments, and checks whether this batch has already been applied
--   shares   the permits of a counter that instances hold, or held when their lease lapsed
--   fleet    the live instances
--   rules    the common parts of all rules. One file for each rule follows: total, frame, bucket, log, slots
--   news     the news for other instances
--   statements   reads, counts, grants, and writes all statements
--   reply    stores the shares and, in case the batch is retried, the reply; publishes the news
--
-- KEYS[1]  the shares, a hash. For each counter, it contains the permits that each instance holds, or held when its
--          lease lapsed. For each instance and chunk, it contains the reply to the last batch ("record"). A record is
--          later reduced to the sequence of the batch ("stub"). In one shard, the hash also contains the live
--          instances.
-- KEYS[2]  when Redis first had data for this shard, in ms since 1970, followed by a space and FORMAT. If an instance
--          has received a reply before this time, data was lost.
-- KEYS[3…] the counters. Each frame is followed by its earlier frames, newest first.
--          On a cluster, all keys have the hash tag of KEYS[1].
-- ARGV[1]  the batch's sequence, in 19 digits, so that texts compare like the numbers
-- ARGV[2]  how long a counter outlives its window, in ms
-- ARGV[3]  how long the record is stored, in ms
-- ARGV[4]  the sender's name
-- ARGV[5]  the channel for news for all instances; an instance's own channel adds `:@` and the instance's name
-- ARGV[6]  the number of this chunk in its batch, starting at 0
-- ARGV[7]  how long a stub is stored, in ms
-- ARGV[8]  when the sender created the batch, by this clock, in ms since 1970
-- ARGV[9]  how long the sender is considered alive without another report, in ms; 0 if it is shutting down; empty if
--          the batch does not state it
-- ARGV[10] when the sender began to use its limits, by this clock, in ms since 1970; 0 if they have never changed
-- ARGV[11…] for each counter: the used, held and needed permits; the smallest useful part of the needed permits; flags;
--           the number of failed recalls for these calls; the wanted permits; the lease in ms; the letter of the rule;
--           if operators give calls, the number given now and the number that the sender knows to have been given
--           earlier; and the figures of the rule. The flags are a sum: 1 if a grant is used immediately, 2 if calls of
--           the sender could return their permits, 4 if the calls that need permits could return them, and 8 if
--           operators give calls.
--
-- Reply    numbers separated by spaces:
--          * the clock in ms
--          * the number of live instances and the sender's rank among them, starting at 0 (0 0 if the batch did not
--            request it, or had already been applied)
--          * 1 if this batch is recorded; 0 if it has not changed any data, so that it can be applied again
--          * the sequence of the sender's last batch that was recorded before; 0 if there is none
--          * if there was no record, when Redis first had data; otherwise 0
--          * when the batch was applied, by this clock
--          * for each counter: total (with `+` and the number of given calls, if operators have given any), granted,
--            elsewhere (-1 if other instances hold no permits, but have calls in flight that could return permits),
--            and the details of the rule
--          If only the stub of this batch remains, the time when it was applied (0 if unknown) is followed by `!` and
--          by `index:permits` for each counter with a grant that was used immediately. The error STALE means that a
--          later batch has already been applied. The error FORGOTTEN means that the batch is so old that even its stub
--          might have expired.
--
-- This is a script because several steps have to be atomic: it checks whether the batch was applied, how many permits
-- remain and who holds them, and it takes permits. With separate commands, another instance could take the remaining
-- permits between two commands, and a repeated batch could be counted twice. Redis runs no other command during a
-- script, and propagates its effects to replicas and the append-only file as a unit.
--
-- Only Java defines the constants that it shares with the script. For example, `Java.BusyPeriods.MOST` is a constant
-- of the class BusyPeriods, and ExchangeScript inserts its value when it builds the script.

-- The script reads the clock before it writes. Before version 5, Redis allows this order only if it replicates the
-- effects instead of the script.
if redis.replicate_commands then
  redis.replicate_commands()
end

local call = redis.call
local pcall = redis.pcall
local ceil, floor, max, min, match, gmatch = math.ceil, math.floor, math.max, math.min, string.match, string.gmatch
local tonumber = tonumber

-- The number of milliseconds to add to the TTL of the shares, so that the TTL rarely needs to be set.
local AMPLE = 5000
-- Every ten seconds, each instance checks about this number of fields in the shares, and removes expired fields.
local SWEEP_EVERY, SWEPT = 10000, 50
-- The TTL of KEYS[2] in milliseconds. It is longer than the lifetime of any counter.
local AGES = 11 * 366 * 86400000
-- The version of the format in which this script stores its data, for later versions of Sluice. No code reads it yet.
local FORMAT = 1
-- The maximum number of digits in a stored number, and the maximum length of a field in the shares. A longer value must
-- have been written under our key by another program, and the script removes or replaces it.
local LONGEST_NUMBER, LONGEST_FIELD, LONGEST_BIRTH = Java.StoredForm.LONGEST_NUMBER, Java.StoredForm.LONGEST_FIELD, 20
-- The maximum count of a window. Use beyond it is not counted, so a count has at most LONGEST_NUMBER digits. A larger
-- count with at most LONGEST_COUNT digits must have been written by another program, and is treated as the maximum.
local MOST_COUNT, LONGEST_COUNT = Java.StoredForm.MOST_COUNT, Java.StoredForm.LONGEST_COUNT
-- The maximum number of arguments after the key of a command. It must be even. ElastiCache Serverless accepts 3,999
-- arguments in total, and Lua's stack has room for about 8000.
local MOST_ARGUMENTS = 3990

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

-- A number as text that Redis and Java can parse. Lua's own conversion writes at most 14 digits.
local function text(number)
  if number == 0 then
    return '0'
  end
  return number < 1e14 and number or string.format('%.0f', number)
end

-- A stored number; nil if the text cannot have been written by Sluice.
local function number(digits)
  return digits and #digits <= LONGEST_NUMBER and tonumber(digits) or nil
end

-- The reply of a command that reads one of our keys; nil if there is no value. If the value has another type, removes
-- it and returns nil. Any other error, such as a missing permission, ends the script. The first command already
-- encounters such an error, so nothing has been applied yet.
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

-- The text under one of our keys; empty if there is no text or if it is too long. Reads at most one character beyond
-- the maximum length.
local function findText(key, longest)
  local value = find('GETRANGE', key, 0, longest) or ''
  return #value <= longest and value or ''
end

-- Runs a command several times, because all its arguments together would be too many.
local function callInParts(command, key, arguments)
  for from = 1, #arguments, MOST_ARGUMENTS do
    call(command, key, unpack(arguments, from, min(#arguments, from + MOST_ARGUMENTS - 1)))
  end
end

local function removeFields(key, fields)
  callInParts('HDEL', key, fields)
end

-- Check whether this batch has already been applied.

local sequence, grace, me = ARGV[1], tonumber(ARGV[2]), ARGV[4]
local clock = text(now)
local FIRST_COUNTER = 3
local RECORD = '!answer:' .. ARGV[6] .. ':' .. me
-- The record of the first chunk, the record of this chunk, and the shares of each counter in KEYS. The script removes
-- fields that are too long.
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
-- `index:permits` for each counter with a grant that was used immediately; and the reply.
local function parse(record)
  local sequence, keyStays, sweptAt, cursor, atOnce, reply = match(record or '', '^%d+ (%d+) (%d+) (%d+) (%d+)([^\n]*)\n(.*)$')
  if sequence and #sequence == #ARGV[1] then
    return sequence, number(keyStays) or 0, number(sweptAt) or now, number(cursor) and cursor or '0', atOnce, reply
  end
  return '', 0, now, '0', ''
end

-- The field of a stub. Its name is short because an instance can leave a stub in each of 16 shards, and long names
-- would take most of the memory.
local STUB_NAME = 12

local function stubOf(record)
  return '!' .. redis.sha1hex(record):sub(1, 2 * STUB_NAME - 2):gsub('%x%x', function(byte)
    return string.char(tonumber(byte, 16))
  end)
end

local last, keyStays, sweptAt, cursor, atOnce, reply = parse(stored[2])
local stub, birth, appliedAt = nil, 0, nil
-- The sender has no record, because it is new, because it was unresponsive for a long time, or because all data was
-- lost.
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

-- Each batch checks the TTLs of one in 32 of its counters, and different ones each time.
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

-- The reported calls of a bucket or log, with their times and numbers. A negative number is a refund.
local function uses()
  local list = {}
  for n = 1, figure() do
    list[n] = { at = now - figure(), count = figure() }
  end
  return list
end
