-- Applies one chunk of a batch of statements, exactly once. The files of this folder form one script, in the order of ExchangeScript:
--
--   batch    reads the arguments, and finds out whether this batch was applied before
--   shares   what instances hold of a counter
--   fleet    which instances live
--   rules    what all rules share; then one file for each rule: total, frame, bucket, log, places
--   news     what other instances have to know
--   statements   for all statements: reads, counts, grants, and writes
--   reply    stores the shares, and the reply in case the batch is sent again; publishes the news
--
-- KEYS[1]  the shares, a hash: for each counter, what each instance holds unspent; and for each instance and chunk, the reply to its
--          last batch, called the record, which is later cut down to the batch's number, called the stub; and in one shard, which
--          instances live
-- KEYS[2]  since when Redis has had data of this shard, in ms since 1970; an instance with an earlier answer concludes that data
--          were lost
-- KEYS[3…] the counters; each frame is followed by the frames before it, the newest first
--          On a cluster, all have the hash tag of KEYS[1].
-- ARGV[1]  the batch's sequence, in 19 digits, so that text compares like numbers
-- ARGV[2]  milliseconds for which a counter outlives its window
-- ARGV[3]  milliseconds for which the record is kept
-- ARGV[4]  the sender's name
-- ARGV[5]  the channel for news that concern all; `:@` and the name of an instance follow in the name of its own
-- ARGV[6]  the number of this chunk in its batch, from 0
-- ARGV[7]  milliseconds for which a stub is kept
-- ARGV[8]  when the sender made the batch, by this clock, in ms since 1970
-- ARGV[9]  milliseconds for which the sender lives on without another word; 0 if it ends, nothing if the batch does not say
-- ARGV[10] how many instances live, as far as the sender knows
-- ARGV[11] since when the sender has its limits, by this clock, in ms since 1970; 0 if it has had no others
-- ARGV[12…] for each counter: used, held, needed, the smallest useful part of what is needed, 1 if a grant is used at once or else 0,
--          how often the store was asked for these calls before, wanted, the lease in ms, the letter of its rule, and the figures that its rule reads
--
-- Reply    numbers separated by blanks: the clock in ms; how many instances live, and which of them the sender is, from 0, or 0 0 if
--          the batch did not ask or was applied before; 1 if this batch is recorded, and 0 if it has changed nothing, so that it may
--          be applied again; the sender's last batch that was recorded before, 0 if none; if there was no record, since when Redis
--          has had data, else 0; the clock when the batch was applied; and for each counter total, granted, elsewhere and the details
--          of its rule. If only the stub of this batch is left, `!` after the clock when it was applied,
--          which is 0 if unknown, and `place:permits` for each counter of which a grant was used at once. The error OUTDATED if a
--          later batch was applied before, and FORGOTTEN if not even a stub of so old a batch would be left.
--
-- Why a script: "has this batch been applied?", "how much is left?", "who holds it?" and "take it" must be one step. Between
-- two commands another instance could take what is left, and a batch sent again could count twice. Redis runs nothing else
-- meanwhile, and passes all effects of the script to replicas and the append-only file as one.

-- The script reads the clock before it writes. Redis before 5 allows that only if it replicates the effects, not the script.
if redis.replicate_commands then
  redis.replicate_commands()
end

local call = redis.call
local pcall = redis.pcall
local ceil, floor, max, min, match, gmatch = math.ceil, math.floor, math.max, math.min, string.match, string.gmatch
local tonumber = tonumber

-- The part of what is left that all holders together may take ahead.
local PART = 0.5
-- Milliseconds added to the TTL of the shares, so that it is seldom set.
local AMPLE = 5000
-- Each instance looks every ten seconds at so many fields of the shares, about, and removes those that have expired.
local SWEEP_EVERY, SWEPT = 10000, 50
-- The TTL of KEYS[2] in milliseconds: longer than any counter lives.
local AGES = 11 * 366 * 86400000
-- Milliseconds by which the reported time of a refunded call may differ from the time that was stored.
local ABOUT = 100
-- The most digits of a stored number, and the most characters of a field of the shares. A longer value is none of ours. Somebody else
-- has put it under a key of ours, and it is removed or replaced.
local LONGEST_NUMBER, LONGEST_FIELD = 15, 262144
-- The most entries of a bucket; and the fraction, one in this many, of its time to fill within which calls become one entry.
local MOST_ENTRIES, GRAINS = 128, 16
-- The most arguments of one command after its key, an even number: ElastiCache Serverless takes 3,999 in all. Lua's stack holds about
-- 8000.
local MOST_ARGUMENTS = 3990

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

-- A number as text that Redis and Java can read. Lua itself writes at most 14 digits.
local function text(number)
  if number == 0 then
    return '0'
  end
  return number < 1e14 and number or string.format('%.0f', number)
end

-- A stored number; nil if it is none of ours.
local function number(digits)
  return digits and #digits <= LONGEST_NUMBER and tonumber(digits) or nil
end

-- The reply of a command that reads a key of ours; nil if there is nothing, or a value of another type, which is removed. Any
-- other error ends the script: out of memory, a replica, a missing right. The first command meets it, so nothing is applied.
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

-- The text under a key of ours, of which no more is read than shows that it is too long; empty if there is none, or if it is too long.
local function findText(key, longest)
  local value = find('GETRANGE', key, 0, longest) or ''
  return #value <= longest and value or ''
end

-- Runs a command with these arguments, some at a time.
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
local clock, FIRST_COUNTER = text(now), 3
local RECORD = '!answer:' .. ARGV[6] .. ':' .. me
-- The record of the first chunk, that of this one, and the shares of each counter in KEYS. A field that is too long is removed.
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

-- The sequence of a record; what it says in addition: when the shares expire, when they were swept last, and from which field on they
-- are swept next; for each counter of which a grant was used at once, ` place:permits`; and the reply.
local function parse(record)
  local sequence, keyStays, sweptAt, cursor, atOnce, reply = match(record or '', '^%d+ (%d+) (%d+) (%d+) (%d+)([^\n]*)\n(.*)$')
  if sequence and #sequence == #ARGV[1] then
    return sequence, number(keyStays) or 0, number(sweptAt) or now, number(cursor) and cursor or '0', atOnce, reply
  end
  return '', 0, now, '0', ''
end

-- The field of a stub: some instances leave one in each of 64 shards, so names of 50 characters would be most of what is stored.
local STUB_NAME = 12

local function stubOf(record)
  return '!' .. redis.sha1hex(record):sub(1, 2 * STUB_NAME - 2):gsub('%x%x', function(byte)
    return string.char(tonumber(byte, 16))
  end)
end

local last, keyStays, sweptAt, cursor, atOnce, reply = parse(stored[2])
local stub, birth, appliedAt = nil, 0, nil
-- The sender has no record: it is new, or has been silent for long, or all data were lost.
if not reply then
  stub = stubOf(RECORD)
  last, appliedAt, atOnce = match(call('HSTRLEN', KEYS[1], stub) <= LONGEST_FIELD and call('HGET', KEYS[1], stub) or '', '^%d+ (%d+) ?(%d*)(.*)$')
  last = last and ('0'):rep(#sequence - #last) .. last or ''
  birth = min(number(match(findText(KEYS[2], LONGEST_NUMBER), '^%d+$')) or now, now)
  call('SET', KEYS[2], text(birth), 'PX', text(AGES))
end
if last == sequence then
  return clock .. ' 0 0 1 ' .. (reply or sequence .. ' ' .. text(birth) .. ' ' .. (number(appliedAt) or 0) .. ' !' .. atOnce)
end
if last > sequence or (ARGV[6] ~= '0' and parse(stored[1]) > sequence) then
  return redis.error_reply('OUTDATED a later batch of this sender was applied before')
end
if last == '' and now - ARGV[8] >= tonumber(ARGV[7]) then
  return redis.error_reply('FORGOTTEN so old a batch of this sender may have been applied before')
end

-- Each batch checks the TTL of every thirty-second counter, each time of others.
local turn = tonumber(sequence:sub(-4))

local limitsSince = ARGV[11] + 0

local atArgument, atKey = 12, FIRST_COUNTER

local function figure()
  atArgument = atArgument + 1
  return ARGV[atArgument - 1] + 0
end

-- The next counter, and its shares.
local function nextKey()
  atKey = atKey + 1
  return KEYS[atKey - 1], stored[atKey - 1]
end

-- The uses of a bucket or log: times, and numbers of calls; a negative number of calls was refunded.
local function uses()
  local list = {}
  for n = 1, figure() do
    list[n] = { at = now - figure(), count = figure() }
  end
  return list
end
