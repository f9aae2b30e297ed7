-- Applies one chunk of a batch of claims, exactly once.
--
-- KEYS[1]  the record of this chunk: what the sender's last batch was told
-- KEYS[2]  the record of the batch's first chunk (KEYS[1] itself, if this is the first)
-- KEYS[3…] the counters, all with the hash tag of KEYS[1] on a cluster
-- ARGV[1]  the batch's sequence, in 19 digits, so that text compares like numbers
-- ARGV[2]  milliseconds for which a counter outlives its window
-- ARGV[3]  milliseconds for which the record is kept
-- ARGV[4…] for each counter: spent, wanted, atLeast, the letter of its rule and the figures of that, as the rules below read them
--
-- Reply    one text: clock in ms, sequence, then total and granted for each counter, parted by blanks, and a third number where
--          the rule has one; the error OUTDATED if a later batch of the sender was applied before
--
-- Why a script: "has this batch been applied?", "how much is left?" and "take it" must be one step. Between two commands
-- another instance would take what is left, or a lost reply would make this one count twice. Redis runs nothing else
-- meanwhile, and hands all of the script's effects to replicas and the append-only file as one.

-- Redis before 5 wants to be told that effects, not the script, are replicated: it reads the clock before it writes.
if redis.replicate_commands then
  redis.replicate_commands()
end

local call = redis.call
local pcall = redis.pcall

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local clock = string.format('%.0f ', now)

local sequence = ARGV[1]
local record = call('GET', KEYS[1])
local last = record and record:sub(1, 19) or ''
if last == sequence then
  return clock .. record
end
local newest = KEYS[2] == KEYS[1] and last or call('GETRANGE', KEYS[2], 0, 18)
if last > sequence or newest > sequence then
  return redis.error_reply('OUTDATED a later batch of this sender was applied before')
end

local grace, answers = ARGV[2], { sequence }
-- Each batch looks at the TTL of every eighth counter, each time of others.
local turn = tonumber(sequence:sub(-3))

local at = 4
local function figure()
  at = at + 1
  return tonumber(ARGV[at - 1])
end

local function answer(...)
  for _, number in ipairs({ ... }) do
    answers[#answers + 1] = string.format('%.0f', number)
  end
end

local function grant(wanted, room, atLeast)
  local granted = math.max(math.min(wanted, room), 0)
  return granted < atLeast and 0 or granted
end

-- An error, unless it only says that what stands under our name is of another kind; that is removed.
local function unusable(reply, key)
  if type(reply) ~= 'table' or not reply.err then
    return nil
  end
  if reply.err:find('WRONGTYPE', 1, true) then
    call('DEL', key)
    return nil
  end
  return reply -- out of memory, a replica, a missing right: met by the first command, so nothing is applied
end

-- Adds and answers the new total, or an error as a table. What stands under our name and is no counter is replaced.
local function add(key, amount)
  local total = pcall('INCRBY', key, amount)
  if type(total) ~= 'number' then
    local sentence = total.err
    if sentence:find('WRONGTYPE', 1, true) or sentence:find('not an integer', 1, true)
        or sentence:find('would overflow', 1, true) then
      call('DEL', key)
      return call('INCRBY', key, amount)
    end
  end
  return total
end

local rules = {}

-- T: a total, of a window; figures: cap, end of the window (ms since 1970), ms for which it is needed after that
function rules.T(key, spent, wanted, atLeast, i)
  local cap, ends, outlives = figure(), figure(), figure()
  if outlives > 0 and now >= ends then
    wanted = 0
  end

  -- As if all that is wanted could be granted: mostly true, and then this is the only command.
  local added = spent + wanted
  local total = add(key, added)
  if type(total) ~= 'number' then
    return total -- out of memory, a replica, a missing right: met by the first write, so nothing is applied
  end

  local before = total - added
  local used = math.max(before + spent, 0)
  local granted = grant(wanted, cap - used, atLeast)
  if used + granted ~= total then
    total = call('INCRBY', key, used + granted - total)
  end

  -- Zero before means just born, or as good as.
  if before == 0 or ((i + turn) % 8 == 0 and call('PTTL', key) == -1) then
    call('PEXPIRE', key, math.max(ends + outlives - now, 0) + grace)
  end
  answer(total, granted)
end

-- F: a flow, into a bucket; figures: units of a token, of a millisecond, of a full bucket, and of the furthest that is believed.
-- Kept and answered as the whole milliseconds of the theoretical arrival time, and the units beyond them.
function rules.F(key, spent, wanted, atLeast)
  local token, milli, depth, furthest = figure(), figure(), figure(), figure()
  local stored = pcall('GET', key)
  local failure = unusable(stored, key)
  if failure then
    return failure
  end
  local millis, units = 0, 0
  if type(stored) == 'string' then
    millis, units = stored:match('^(%d+) (%d+)$')
  end

  local arrival = ((tonumber(millis) or 0) - now) * milli + (tonumber(units) or 0)
  if spent < 0 then
    arrival = arrival - math.min(-spent, math.floor(depth / token)) * token
  end
  local ahead = math.min(math.max(arrival, 0), furthest)
  if spent > 0 then
    ahead = ahead + math.min(spent, math.floor((furthest - ahead) / token)) * token
  end
  local granted = grant(wanted, math.floor((depth - ahead) / token), atLeast)
  ahead = ahead + granted * token

  local beyond = math.fmod(ahead, milli)
  local arrives = now + (ahead - beyond) / milli
  local value = string.format('%.0f %.0f', arrives, beyond)
  local done = pcall('SET', key, value, 'PX', string.format('%.0f', math.ceil(ahead / milli) + grace))
  if done.err then
    return done
  end
  answer(arrives, granted, beyond)
end

local me = KEYS[1]:match('!answer:%d+:(.*)$')

-- L: a log of calls; figures: most, period in ms. The third number is the time of the oldest call.
function rules.L(key, spent, wanted, atLeast)
  local most, period = figure(), figure()
  local failure = unusable(pcall('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - period)), key)
  if failure then
    return failure
  end
  if spent < 0 then
    local prefix, returned = me .. ' ', -spent
    for _, member in ipairs(call('ZREVRANGE', key, 0, -1)) do
      if returned == 0 then
        break
      end
      if member:sub(1, #prefix) == prefix then
        call('ZREM', key, member)
        returned = returned - 1
      end
    end
  end
  local total = call('ZCARD', key)
  local noted = math.min(math.max(spent, 0), most)
  local granted = grant(wanted, most - total - noted, atLeast)
  for number = 1, noted + granted do
    call('ZADD', key, string.format('%.0f', now), me .. ' ' .. sequence .. ' ' .. number)
  end
  if total + noted + granted > 0 then
    call('PEXPIRE', key, period + grace)
  end
  answer(total + noted + granted, granted, call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or 0)
end

-- P: places that instances hold; figures: most, ms for which they do unless they claim them again. What is spent is all that the sender holds.
function rules.P(key, spent, wanted, atLeast)
  local most, lease = figure(), figure()
  local all = pcall('HGETALL', key)
  local failure = unusable(all, key)
  if failure then
    return failure
  end
  local others = 0
  for i = 1, all.err and 0 or #all, 2 do
    local places, ends = all[i + 1]:match('^(%d+) (%d+)$')
    if all[i] ~= me and places and tonumber(ends) > now then
      others = others + places
    else
      call('HDEL', key, all[i])
    end
  end
  local held = math.max(spent, 0)
  local granted = grant(wanted, most - others - held, atLeast)
  if held + granted > 0 then
    call('HSET', key, me, string.format('%.0f %.0f', held + granted, now + lease))
  end
  if others + held + granted > 0 then
    call('PEXPIRE', key, lease + grace)
  end
  answer(others + held + granted, granted)
end

for i = 3, #KEYS do
  local spent, wanted, atLeast = figure(), figure(), figure()
  at = at + 1
  local failure = rules[ARGV[at - 1]](KEYS[i], spent, wanted, atLeast, i)
  if failure then
    return failure
  end
end

local text = table.concat(answers, ' ')
call('SET', KEYS[1], text, 'PX', ARGV[3])
return clock .. text
