-- Applies one chunk of a batch of claims, exactly once.
--
-- KEYS[1]  the record of this chunk: what the sender's last batch was told
-- KEYS[2]  the record of the batch's first chunk (KEYS[1] itself, if this is the first)
-- KEYS[3…] the counters, all with the hash tag of KEYS[1] on a cluster
-- ARGV[1]  the batch's sequence, in 19 digits, so that text compares like numbers
-- ARGV[2]  milliseconds for which a counter outlives its window
-- ARGV[3]  milliseconds for which the record is kept
-- ARGV[4…] five for each counter: spent, wanted, atLeast, cap, end of the window (ms since 1970)
--
-- Reply    one text: clock in ms, sequence, then total and granted for each counter, parted by blanks;
--          the error OUTDATED if a later batch of the sender was applied before
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

local grace, answers = ARGV[2], { sequence }
-- Each batch looks at the TTL of every eighth counter, each time of others.
local turn = tonumber(sequence:sub(-3))

for i = 3, #KEYS do
  local key, at = KEYS[i], 5 * i - 11
  local spent, wanted, cap = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 3])

  -- As if all that is wanted could be granted: mostly true, and then this is the only command.
  local added = spent + wanted
  local total = add(key, added)
  if type(total) ~= 'number' then
    return total -- out of memory, a replica, a missing right: met by the first write, so nothing is applied
  end

  local before = total - added
  local used = math.max(before + spent, 0)
  local granted = math.max(math.min(wanted, cap - used), 0)
  if granted < tonumber(ARGV[at + 2]) then
    granted = 0
  end
  if used + granted ~= total then
    total = call('INCRBY', key, used + granted - total)
  end

  -- Zero before means just born, or as good as.
  if before == 0 or ((i + turn) % 8 == 0 and call('PTTL', key) == -1) then
    call('PEXPIRE', key, math.max(ARGV[at + 4] - now, 0) + grace)
  end

  answers[#answers + 1] = string.format('%.0f', total)
  answers[#answers + 1] = string.format('%.0f', granted)
end

local answer = table.concat(answers, ' ')
call('SET', KEYS[1], answer, 'PX', ARGV[3])
return clock .. answer
