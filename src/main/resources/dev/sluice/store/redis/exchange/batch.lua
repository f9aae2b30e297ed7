-- Applies one chunk of a batch of claims, exactly once. The files of this folder are one script, in the order of ExchangeScript:
--
--   batch      was this batch applied before? and the arguments
--   instances  what the other instances hold
--   rules      what all rules do alike; then a file for each: total, frame, bucket, log, places
--   claims     reads all claims, counts, asks the others where it must, grants, and writes
--   reply      writes down what the sender holds from now on, and the reply for a batch that is sent again; publishes the news
--
-- KEYS[1]  a hash of the sender: what it holds unspent of each counter, as "permits until"; and what its last batch was told, a field
--          for each chunk, the record
-- KEYS[2]  the holders: a sorted set of the instances that have shares, each with the time until which it is believed alive
-- KEYS[3]  since when Redis has had the data of this shard, in ms since 1970: who knows an earlier answer knows that they were lost
-- KEYS[4…] the counters; each frame is followed by the frames before it, the newest first
--          All have the hash tag of KEYS[1] on a cluster. So have the hashes of the other instances, which the script finds by
--          the names in KEYS[2].
-- ARGV[1]  the batch's sequence, in 19 digits, so that text compares like numbers
-- ARGV[2]  milliseconds for which a counter outlives its window
-- ARGV[3]  milliseconds for which the record is kept at most, where nothing is held
-- ARGV[4]  the sender's name
-- ARGV[5]  the channel for news
-- ARGV[6]  the number of this chunk in its batch, from 0
-- ARGV[7…] for each counter: the letter of its rule, used, held, needed, the least of that which is of use, 1 if it is used at once
--          or else 0, wanted, the lease in ms, and the figures that the rules below read
--
-- Reply    numbers parted by blanks: the clock in ms; the last batch of the sender that was found here, 0 if none; if none, since
--          when Redis has had data, else 0; what the clock was when the batch was applied; and for each counter total, granted,
--          elsewhere and what else its rule tells. The error OUTDATED if a later batch was applied before.
--
-- Why a script: "has this batch been applied?", "how much is left?", "who holds it?" and "take it" must be one step. Between
-- two commands another instance would take what is left, or a lost reply would make this one count twice. Redis runs nothing
-- else meanwhile, and hands all of the script's effects to replicas and the append-only file as one.

-- Redis before 5 wants to be told that effects, not the script, are replicated: it reads the clock before it writes.
if redis.replicate_commands then
  redis.replicate_commands()
end

local call = redis.call
local pcall = redis.pcall
local ceil, floor, max, min, match, tonumber = math.ceil, math.floor, math.max, math.min, string.match, tonumber

-- The part of what is left that all holders together may take ahead.
local PART = 0.5
-- The others are asked what they hold of a total where less than this part of the cap is left, or the cap is as small as this.
local SCARCE, SMALL = 0.3, 200
-- Milliseconds for which the number of instances is believed, and the sender need not be entered in the holders again.
local FRESH = 2000
-- Milliseconds by which the TTLs of the sender's hash and of the holders are longer than needed, so that they are seldom set.
local AMPLE = 5000
-- Milliseconds for which the time is kept since when there have been data: longer than any counter lives.
local AGES = 11 * 366 * 86400000
-- Milliseconds by which the time may be wrong at which calls were made that count no more.
local ABOUT = 100
-- The entries of a bucket that are kept, and the part of the time in which it fills within which calls become one entry.
local MOST_ENTRIES, GRAINS = 128, 16
-- The arguments that one command takes; Lua's stack bears no more than some 8000.
local MOST_ARGUMENTS = 4000

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

-- A number as Redis and Java read it. Lua itself writes no more than 14 digits.
local function text(number)
  if number == 0 then
    return '0'
  end
  return number < 1e14 and number or string.format('%.0f', number)
end

-- What a command finds under a key of ours; nil if there is nothing, or something of another kind, which is removed. Any other
-- error ends the script: out of memory, a replica, a missing right. They are met by the first command, so nothing is applied.
local function find(command, key, ...)
  local reply = pcall(command, key, ...)
  if type(reply) ~= 'table' or not reply.err then
    return reply
  end
  if reply.err:find('WRONGTYPE', 1, true) then
    call('DEL', key)
    return nil
  end
  error(reply.err, 0)
end

-- Has this batch been applied?

local sequence, grace, me = ARGV[1], tonumber(ARGV[2]), ARGV[4]
local RECORD, FIRST_COUNTER = '!answer:', 4
-- The record of the first chunk, that of this one, and what the sender holds of each counter in KEYS.
local own = find('HMGET', KEYS[1], RECORD .. 0, RECORD .. ARGV[6], unpack(KEYS, FIRST_COUNTER)) or {}
local record = own[2] or ''
local last = match(record, '^(%d+) ') or ''
if last == sequence then
  return text(now) .. ' ' .. record:match('\n(.*)$')
end
local newest = match(own[1] or '', '^(%d+) ') or ''
if last > sequence or newest > sequence then
  return redis.error_reply('OUTDATED a later batch of this sender was applied before')
end

-- A record also tells when instances were counted and how many there were, when the sender was entered in the holders, and until
-- when its hash and the holders stay.
local countedAt, instances, enteredAt, keysStay = record:match('^%d+ (%d+) (%d+) (%d+) (%d+)\n')
countedAt, instances = tonumber(countedAt or 0), tonumber(instances or 1)
enteredAt, keysStay = tonumber(enteredAt or 0), tonumber(keysStay or 0)

local function isFresh(millis)
  return millis <= now and now - millis < FRESH
end

-- Each batch looks at the TTL of every thirty-second counter, each time of others.
local turn = tonumber(sequence:sub(-4))

-- Since when Redis has had data, where the sender has no record: it has expired, or all was lost.
local birth = 0
if last == '' then
  local stored = find('GET', KEYS[3]) or ''
  birth = match(stored, '^%d+$') and min(tonumber(stored), now) or now
  call('SET', KEYS[3], text(birth), 'PX', text(AGES))
end

local atArgument, atKey = 7, FIRST_COUNTER

local function figure()
  atArgument = atArgument + 1
  return ARGV[atArgument - 1] + 0
end

local function nextKey()
  atKey = atKey + 1
  return KEYS[atKey - 1]
end

-- Of a bucket or log: when how many calls were made; how many is below zero if they count no more.
local function uses()
  local list = {}
  for n = 1, figure() do
    list[n] = { at = now - figure(), count = figure() }
  end
  return list
end
