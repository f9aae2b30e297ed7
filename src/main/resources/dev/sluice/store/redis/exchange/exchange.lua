-- Applies one chunk of a batch of claims, exactly once.
--
-- KEYS[1]  the record of this chunk: what the sender's last batch was told
-- KEYS[2]  the record of the batch's first chunk (KEYS[1] itself, if this is the first)
-- KEYS[3]  the shares of the sender: a hash with what it holds unspent of each counter, as "permits until"
-- KEYS[4]  the holders: a sorted set of the instances that have shares, each with the time until which it is believed alive
-- KEYS[5]  since when Redis has had the data of this shard, in ms since 1970: who knows an earlier answer knows that they were lost
-- KEYS[6…] the counters; each frame is followed by the frames before it, the newest first
--          All have the hash tag of KEYS[1] on a cluster. So have the shares of the other instances, which the script finds by
--          the names in KEYS[4].
-- ARGV[1]  the batch's sequence, in 19 digits, so that text compares like numbers
-- ARGV[2]  milliseconds for which a counter outlives its window
-- ARGV[3]  milliseconds for which the record is kept
-- ARGV[4]  the sender's name
-- ARGV[5]  the channel for news
-- ARGV[6…] for each counter: the letter of its rule, used, held, needed, the least of that which is of use, 1 if it is used at once
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
local PART = 0.7
-- The others are asked what they hold of a total where less than this part of the cap is left, or the cap is as small as this.
local SCARCE, SMALL = 0.3, 200
-- Milliseconds for which the number of instances is believed, and the sender need not be entered in the holders again.
local FRESH = 2000
-- Milliseconds by which the TTLs of shares and holders are longer than needed, so that they are seldom set.
local AMPLE = 5000
-- Milliseconds for which the time is kept since when there have been data: longer than any counter lives.
local AGES = 11 * 366 * 86400000
-- Milliseconds by which the time may be wrong at which calls were made that count no more.
local ABOUT = 100
-- The busy periods of a bucket that are kept.
local MOST_PERIODS = 128
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
local record = find('GET', KEYS[1]) or ''
local last = record:match('^(%d+) ') or ''
if last == sequence then
  return text(now) .. ' ' .. record:match('\n(.*)$')
end
local newest = KEYS[2] == KEYS[1] and last or find('GETRANGE', KEYS[2], 0, 18) or ''
if last > sequence or newest > sequence then
  return redis.error_reply('OUTDATED a later batch of this sender was applied before')
end

-- A record also tells when instances were counted and how many there were, when the sender was entered in the holders, and until
-- when its shares and the holders stay.
local countedAt, instances, enteredAt, sharesStay = record:match('^%d+ (%d+) (%d+) (%d+) (%d+)\n')
countedAt, instances = tonumber(countedAt or 0), tonumber(instances or 1)
enteredAt, sharesStay = tonumber(enteredAt or 0), tonumber(sharesStay or 0)

local function isFresh(millis)
  return millis <= now and now - millis < FRESH
end

-- Each batch looks at the TTL of every thirty-second counter, each time of others.
local turn = tonumber(sequence:sub(-4))

-- Since when Redis has had data, where the sender has no record: it has expired, or all was lost.
local birth = 0
if last == '' then
  local stored = find('GET', KEYS[5]) or ''
  birth = match(stored, '^%d+$') and min(tonumber(stored), now) or now
  call('SET', KEYS[5], text(birth), 'PX', text(AGES))
end

local atArgument, atKey = 6, 6

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

-- The other instances

local function sharesOf(instance)
  return KEYS[3]:sub(1, #KEYS[3] - #me) .. instance
end

-- The permits of a share, and until when its lease lasts.
local function share(stored)
  local permits, ends = match(stored, '^(%d+) (%d+)$')
  return (permits or 0) + 0, (ends or 0) + 0
end

local names

-- The names of the others that have shares, alive or not. Counts those alive, and drops those that have nothing any more.
local function others()
  if names then
    return names
  end
  names, instances, countedAt = {}, 1, now
  local found = find('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES') or {}
  for n = 1, #found, 2 do
    local name, isAlive = found[n], tonumber(found[n + 1]) > now
    if name ~= me and isAlive then
      instances = instances + 1
    end
    if name ~= me then
      if isAlive or pcall('EXISTS', sharesOf(name)) ~= 0 then
        names[#names + 1] = name
      else
        call('ZREM', KEYS[4], name)
      end
    end
  end
  return names
end

local function numberOfInstances()
  if not isFresh(countedAt) then
    others()
  end
  return instances
end

-- Shares whose leases have ended: the key of each with its fields. They are removed with the writes at the end.
local ended = {}

-- Learns what the others hold of these counters, and takes back what they hold beyond its lease.
local function askOthers(claims)
  local fields, owners, frames = {}, {}, {}
  for _, claim in ipairs(claims) do
    claim.isAsked = true
    for frame = 0, #claim.before do
      local n = #fields + 1
      fields[n], owners[n], frames[n] = frame == 0 and claim.key or claim.before[frame], claim, frame
    end
  end
  for _, name in ipairs(others()) do
    local lapsed = {}
    for from = 1, #fields, MOST_ARGUMENTS do
      local found = pcall('HMGET', sharesOf(name), unpack(fields, from, min(#fields, from + MOST_ARGUMENTS - 1)))
      -- A slot is on its way to another node: what this one holds is not known for a moment. Calls wait, and ask again.
      if found.err then
        for n = from, min(#fields, from + MOST_ARGUMENTS - 1) do
          local claim = owners[n]
          claim.elsewhere = claim.elsewhere + 1
          claim.left = claim.rule.isSum and claim.left or min(claim.left, 0)
        end
      end
      for n = 1, #found do
        if found[n] then
          local permits, ends = share(found[n])
          local at = from + n - 1
          if ends > now then
            owners[at].rule.meet(owners[at], permits, frames[at])
          else
            owners[at].rule.takeBack(owners[at], permits, frames[at])
            lapsed[#lapsed + 1] = fields[at]
          end
        end
      end
    end
    if #lapsed > 0 then
      ended[#ended + 1] = { key = sharesOf(name), fields = lapsed }
    end
  end
end

-- Grants what calls wait for as far as it is left, which counts as used if they pass with it. If that is all that they need, also a
-- share of the rest.
local function grant(claim, holders)
  local forWaiting, share = max(0, min(claim.needed, claim.left)), 0
  if forWaiting < claim.least then
    forWaiting = 0
  end
  if claim.wanted > 0 and forWaiting == claim.needed then
    share = max(0, min(claim.wanted, floor(PART * (claim.left - forWaiting) / holders)))
  end
  local usedAtOnce = claim.isUsedAtOnce and forWaiting or 0
  claim.granted, claim.usedAtOnce = forWaiting + share, usedAtOnce
  claim.share = claim.held + forWaiting + share - usedAtOnce
  return claim.granted
end

-- Whether the sender tells of calls that, with all that is held as far as it is known, pass the limit.
local function isOverdrawn(claim)
  return claim.used > 0 and claim.left < 0 and claim.left > -math.huge
end

-- The rules. Each reads its figures (read), counts what was used and finds out what is left and whether the others have to be asked
-- (count), learns what others hold or held too long (meet, takeBack), and writes what was granted (keep). That returns the total
-- and what else is told.

local rules, make = {}, {}

local function ruleOf(letter)
  local rule = rules[letter]
  if not rule then
    rule = make[letter]()
    rules[letter] = rule
  end
  return rule
end

-- T: a total, of a window; figures: cap, end of the window (ms since 1970)
-- A number: what was used, and all that is held.

function make.T()
  local rule = { isSum = true, sharesApart = true, staysUsed = true }

  function rule.read(claim)
    claim.cap, claim.stays = figure(), figure()
  end

  function rule.count(claim)
    -- What was used by all and is held by others. Who takes back more than there is leaves nothing; and where less is found than was
    -- held here alone, the counter was lost.
    local found, cap, held, asked = claim.found or 0, claim.cap, claim.held, claim.asked
    local rest = max(max(found - claim.stored, 0) + claim.used, 0)
    local left = cap - rest - held
    claim.rest, claim.left, claim.leftBefore = rest, left, cap - found
    if held + asked == 0 then
      return isOverdrawn(claim)
    end
    local granted = asked == 0 and 0 or grant(claim, numberOfInstances())
    return granted < asked or left - granted < SCARCE * cap or (asked > 0 and cap <= SMALL)
  end

  function rule.meet(claim, permits)
    claim.elsewhere, claim.holders = claim.elsewhere + permits, claim.holders + 1
  end

  function rule.takeBack(claim, permits)
    local lapsed = min(permits, claim.rest)
    claim.rest, claim.left = claim.rest - lapsed, claim.left + lapsed
  end

  function rule.keep(claim, place)
    local key, total = claim.key, claim.rest + claim.held + claim.granted
    if not claim.found then
      if total > 0 then
        call('SET', key, text(total), 'PX', text(max(claim.stays - now, 0) + grace))
      end
      return total
    end
    if total ~= claim.found then
      call('INCRBY', key, text(total - claim.found))
    end
    if (place + turn) % 32 == 0 and call('PTTL', key) == -1 then
      call('PEXPIRE', key, text(max(claim.stays - now, 0) + grace))
    end
    return total
  end

  return rule
end

-- W: a frame of a sliding window; figures: what the weighted sum may reach, how many frames before this one count, start and end of
-- the frame. Like a total; what the frames before weigh now lowers its cap. Tells the totals of the frames before.

function make.W()
  local total = ruleOf('T')
  local rule = { isSum = true, sharesApart = true }

  function rule.read(claim)
    claim.most, claim.frames, claim.starts, claim.ends = figure(), figure(), figure(), figure()
    claim.stays = claim.ends + claim.frames * (claim.ends - claim.starts)
    claim.before, claim.past = {}, {}
    for frame = 1, claim.frames do
      claim.before[frame] = nextKey()
    end
  end

  -- Nothing is granted of a frame that is over.
  local function capOfFrame(claim)
    if now >= claim.ends then
      return -math.huge
    end
    local length, weight = claim.ends - claim.starts, 0
    for frame = 1, claim.frames - 1 do
      weight = weight + claim.past[frame]
    end
    local covered = length - min(max(now - claim.starts, 0), length)
    return claim.most - weight - ceil(claim.past[claim.frames] * covered / length)
  end

  function rule.count(claim)
    claim.cap = capOfFrame(claim)
    return total.count(claim)
  end

  function rule.meet(claim, permits, frame)
    claim.elsewhere = claim.elsewhere + permits
    claim.holders = claim.holders + (frame == 0 and 1 or 0)
  end

  function rule.takeBack(claim, permits, frame)
    if frame == 0 then
      total.takeBack(claim, permits)
      return
    end
    local lapsed = min(permits, claim.past[frame])
    if lapsed > 0 then
      claim.past[frame] = call('INCRBY', claim.before[frame], -lapsed)
      if now < claim.ends then
        local cap = capOfFrame(claim)
        claim.left, claim.cap = claim.left + cap - claim.cap, cap
      end
    end
  end

  function rule.keep(claim, place)
    return total.keep(claim, place), claim.past
  end

  return rule
end

-- F: a flow, into a bucket; figures: units of a token, of a millisecond, of a full bucket, and of the furthest that is believed; uses.
-- Kept as "start calls start calls …": the times in which the bucket was not full, and the calls of each. The total is the theoretical
-- arrival time with all that is held, as whole milliseconds, and the units beyond them are told too.

function make.F()
  local rule = { sharesApart = true }

  function rule.read(claim)
    claim.token, claim.milli, claim.depth, claim.furthest = figure(), figure(), figure(), figure()
    claim.uses, claim.stays = uses(), now + claim.lease
  end

  -- The units from now to the end of a busy period; below zero if it is over.
  local function unitsToEnd(claim, period)
    return (period.start - now) * claim.milli + period.calls * claim.token
  end

  -- The units that what was used takes to flow in again.
  local function ahead(claim)
    local periods = claim.periods
    return #periods == 0 and 0 or min(max(0, unitsToEnd(claim, periods[#periods])), claim.furthest)
  end

  -- Of the two periods between which the bucket was full for the shortest time, the calls of the one count as made just before the
  -- other, which ends when it did.
  local function joinNearest(claim)
    local periods, nearest, shortest = claim.periods, 1, math.huge
    for n = 1, #periods - 1 do
      local pause = (periods[n + 1].start - now) * claim.milli - unitsToEnd(claim, periods[n])
      if pause < shortest then
        nearest, shortest = n, pause
      end
    end
    local earlier, later = periods[nearest], table.remove(periods, nearest + 1)
    later.start = later.start - floor(earlier.calls * claim.token / claim.milli + 0.5)
    later.calls = earlier.calls + later.calls
    periods[nearest] = later
  end

  local function takeFromBucket(claim, use)
    local periods, place = claim.periods, #claim.periods + 1
    while place > 1 and periods[place - 1].start > use.at do
      place = place - 1
    end
    table.insert(periods, place, { start = use.at, calls = use.count })
    -- Periods that overlap become one.
    local n = max(1, place - 1)
    while n < #periods do
      local later = periods[n + 1]
      if unitsToEnd(claim, periods[n]) >= (later.start - now) * claim.milli then
        periods[n].calls = periods[n].calls + later.calls
        table.remove(periods, n + 1)
      else
        n = n + 1
      end
    end
    while #periods > MOST_PERIODS do
      joinNearest(claim)
    end
    -- No more is believed than a bucket can be short of.
    local latest = periods[#periods]
    if unitsToEnd(claim, latest) > claim.furthest then
      latest.calls = max(0, floor((claim.furthest - (latest.start - now) * claim.milli) / claim.token))
      latest.start = min(latest.start, now)
    end
  end

  -- Calls are taken out of the busy period in which they were made: if their tokens have flowed in again, nothing comes back.
  local function putIntoBucket(claim, use)
    local periods, place, calls = claim.periods, 1, -use.count
    while place <= #periods and unitsToEnd(claim, periods[place]) <= (use.at - now) * claim.milli do
      place = place + 1
    end
    if place <= #periods and periods[place].start > use.at + ABOUT then
      return
    end
    while calls > 0 and place <= #periods do
      local period = periods[place]
      if period.calls > calls then
        period.calls = period.calls - calls
        return
      end
      calls = calls - period.calls
      table.remove(periods, place)
    end
  end

  function rule.count(claim)
    local periods = {}
    claim.periods, claim.value = periods, find('GET', claim.key)
    for start, calls in (claim.value or ''):gmatch('(%d+) (%d+)') do
      periods[#periods + 1] = { start = tonumber(start), calls = tonumber(calls) }
    end
    while #periods > 0 and unitsToEnd(claim, periods[1]) <= -2 * claim.lease * claim.milli do
      table.remove(periods, 1)
    end
    claim.leftBefore = floor((claim.depth - ahead(claim)) / claim.token) - claim.stored
    for _, use in ipairs(claim.uses) do
      if use.count > 0 then
        takeFromBucket(claim, use)
      else
        putIntoBucket(claim, use)
      end
    end
    claim.left = floor((claim.depth - ahead(claim)) / claim.token) - claim.held
    return true
  end

  function rule.meet(claim, permits)
    claim.elsewhere, claim.holders = claim.elsewhere + permits, claim.holders + 1
    claim.left, claim.leftBefore = claim.left - permits, claim.leftBefore - permits
  end

  function rule.takeBack(claim, permits)
    claim.leftBefore = claim.leftBefore - permits
  end

  function rule.keep(claim)
    if claim.usedAtOnce > 0 then
      takeFromBucket(claim, { at = now, count = claim.usedAtOnce })
    end
    local units = ahead(claim)
    if #claim.periods > 0 then
      local value = {}
      for n, period in ipairs(claim.periods) do
        value[n] = text(period.start) .. ' ' .. text(period.calls)
      end
      -- As long as a call that is reported late could belong to a busy period.
      local ttl = ceil(units / claim.milli) + 2 * claim.lease + grace
      call('SET', claim.key, table.concat(value, ' '), 'PX', text(ttl))
    elseif claim.value then
      call('DEL', claim.key)
    end
    units = units + (claim.elsewhere + claim.share) * claim.token
    local beyond = math.fmod(units, claim.milli)
    return now + (units - beyond) / claim.milli, { beyond }
  end

  return rule
end

-- L: a log of calls; figures: most, period in ms; uses.
-- A sorted set of the calls by their times. Tells the time of the oldest, 0 if there is none.

function make.L()
  local flow = ruleOf('F')
  local rule = { sharesApart = true, meet = flow.meet, takeBack = flow.takeBack }

  function rule.read(claim)
    claim.most, claim.period = figure(), figure()
    claim.uses, claim.stays = uses(), now + claim.lease
  end

  local function note(claim, entries)
    for from = 1, #entries, MOST_ARGUMENTS do
      call('ZADD', claim.key, unpack(entries, from, min(#entries, from + MOST_ARGUMENTS - 1)))
    end
  end

  -- Forgets the latest calls of the sender.
  local function forget(claim, calls)
    local prefix = me .. ' '
    for _, member in ipairs(call('ZREVRANGE', claim.key, 0, -1)) do
      if calls == 0 then
        return
      end
      if member:sub(1, #prefix) == prefix then
        call('ZREM', claim.key, member)
        claim.noted, calls = claim.noted - 1, calls - 1
      end
    end
  end

  function rule.count(claim)
    find('ZREMRANGEBYSCORE', claim.key, '-inf', text(now - claim.period))
    claim.noted = call('ZCARD', claim.key)
    claim.leftBefore = claim.most - claim.noted - claim.stored
    local entries, number = {}, 0
    for _, use in ipairs(claim.uses) do
      if use.count < 0 then
        note(claim, entries)
        entries = {}
        forget(claim, -use.count)
      elseif use.at > now - claim.period then
        for _ = 1, min(use.count, claim.most) do
          number = number + 1
          entries[#entries + 1] = text(use.at)
          entries[#entries + 1] = me .. ' ' .. sequence .. ' ' .. number
          claim.noted = claim.noted + 1
        end
      end
    end
    note(claim, entries)
    claim.left = claim.most - claim.noted - claim.held
    return true
  end

  function rule.keep(claim)
    local entries = {}
    for n = 1, claim.usedAtOnce do
      entries[2 * n - 1], entries[2 * n] = text(now), me .. ' ' .. sequence .. ' granted ' .. n
    end
    note(claim, entries)
    claim.noted = claim.noted + claim.usedAtOnce
    local oldest = 0
    if claim.noted > 0 then
      call('PEXPIRE', claim.key, text(claim.period + grace))
      oldest = tonumber(call('ZRANGE', claim.key, 0, 0, 'WITHSCORES')[2])
    end
    return claim.noted + claim.elsewhere + claim.share, { oldest }
  end

  return rule
end

-- P: places for calls under way; figures: most, in use by the sender, and since when calls of the sender wait (ms since 1970, or 0).
-- A hash of instances: "in use, held, time of this report, until".

function make.P()
  local rule = {}

  function rule.read(claim)
    claim.most, claim.inUse, claim.since = figure(), figure(), figure()
  end

  function rule.count(claim)
    local found, taken, takenBefore = find('HGETALL', claim.key) or {}, 0, 0
    claim.gone = {}
    for n = 1, #found, 2 do
      local inUse, held, reported, ends = found[n + 1]:match('^(%d+) (%d+) (%d+) (%d+)$')
      inUse, held = tonumber(inUse or 0), tonumber(held or 0)
      takenBefore = takenBefore + inUse + held
      if found[n] == me then
        claim.isKnown, claim.stored = true, held
      elseif ends and tonumber(ends) > now then
        taken = taken + inUse + held
        claim.elsewhere, claim.holders = claim.elsewhere + held, claim.holders + (held > 0 and 1 or 0)
        -- Who has reported since the sender's calls wait has said what it has free.
        if claim.since == 0 or tonumber(reported) < claim.since then
          claim.elsewhere = claim.elsewhere + inUse
        end
      else
        claim.gone[#claim.gone + 1] = found[n]
      end
    end
    claim.isAsked = true
    claim.takenByOthers = taken
    claim.leftBefore = claim.most - takenBefore
    claim.left = claim.most - taken - claim.inUse - claim.held
    return false
  end

  function rule.keep(claim)
    local inUse, held = claim.inUse + claim.usedAtOnce, claim.share
    if inUse + held > 0 then
      local place = text(inUse) .. ' ' .. text(held) .. ' ' .. text(now) .. ' ' .. text(now + claim.lease)
      call('HSET', claim.key, me, place)
    elseif claim.isKnown then
      claim.gone[#claim.gone + 1] = me
    end
    if #claim.gone > 0 then
      call('HDEL', claim.key, unpack(claim.gone))
    end
    local total = claim.takenByOthers + inUse + held
    if total > 0 then
      call('PEXPIRE', claim.key, text(claim.lease + grace))
    end
    return total
  end

  return rule
end

-- The claims

local NONE = {}
local claims, lastKey = {}, #KEYS
-- Those whose share is kept apart, and their keys.
local sharing, sharingKeys = {}, {}
-- The keys of totals and frames, and whose they are: 0 for the total of the claim, and for a frame before how long before.
local sumKeys, sumClaims, sumFrames = {}, {}, {}

while atKey <= lastKey do
  local at, key = atArgument, nextKey()
  local rule = ruleOf(ARGV[at])
  -- Adding 0 makes a number of a text, in less time than tonumber.
  local held, needed, wanted = ARGV[at + 2] + 0, ARGV[at + 3] + 0, ARGV[at + 6] + 0
  -- Named here at once, also what is found out later: a table that grows costs more.
  local claim = {
    key = key, rule = rule, used = ARGV[at + 1] + 0, held = held, needed = needed, least = ARGV[at + 4] + 0,
    isUsedAtOnce = ARGV[at + 5] == '1', wanted = wanted, asked = needed + wanted, lease = ARGV[at + 7] + 0, before = NONE,
    stored = 0, isStored = false, found = false, holders = 1, elsewhere = 0, granted = 0, usedAtOnce = 0, share = held,
    isAsked = false, cap = 0, stays = 0, rest = 0, left = 0, leftBefore = 0
  }
  atArgument = at + 8
  rule.read(claim)
  claims[#claims + 1] = claim
  if rule.sharesApart then
    sharing[#sharing + 1], sharingKeys[#sharingKeys + 1] = claim, key
  end
  for frame = 0, rule.isSum and #claim.before or -1 do
    local n = #sumKeys + 1
    sumKeys[n], sumClaims[n], sumFrames[n] = frame == 0 and key or claim.before[frame], claim, frame
  end
end

-- What the sender held so far.
local shares = #sharing > 0 and find('HMGET', KEYS[3], unpack(sharingKeys)) or NONE
for n = 1, #shares do
  if shares[n] then
    local claim = sharing[n]
    claim.stored, claim.isStored = (match(shares[n], '^%d+') or 0) + 0, true
  end
end

-- What is found of totals and frames. What stands under our name and is no count is replaced.
for from = 1, #sumKeys, MOST_ARGUMENTS do
  local found = call('MGET', unpack(sumKeys, from, min(#sumKeys, from + MOST_ARGUMENTS - 1)))
  for n = 1, #found do
    local stored, claim, frame = found[n], sumClaims[from + n - 1], sumFrames[from + n - 1]
    local count = stored and #stored < 16 and match(stored, '^-?%d+$') and stored + 0
    if frame == 0 then
      claim.found = count
    else
      claim.past[frame] = max(count or 0, 0)
    end
  end
end

local asking = {}
for place = 1, #claims do
  local claim = claims[place]
  if claim.rule.count(claim) then
    asking[#asking + 1] = claim
  end
end
if #asking > 0 then
  askOthers(asking)
end

local answers, recalled, freed, usedUp = { last == '' and '0' or last, text(birth), text(now) }, {}, {}, {}
local size = 3
for place = 1, #claims do
  local claim = claims[place]
  local rule = claim.rule
  if claim.isAsked and claim.asked > 0 then
    grant(claim, claim.holders)
  end
  local granted, elsewhere = claim.granted, claim.elsewhere
  local total, more = rule.keep(claim, place)
  answers[size + 1], answers[size + 2], answers[size + 3] = text(total), text(granted), text(elsewhere)
  size = size + 3
  for n = 1, more and #more or 0 do
    size = size + 1
    answers[size] = text(more[n])
  end
  local overdrawn = claim.isAsked and isOverdrawn(claim)
  if (granted < claim.needed or overdrawn) and elsewhere > 0 then
    recalled[#recalled + 1] = claim.key
    for n = 1, #claim.before do
      recalled[#recalled + 1] = claim.before[n]
    end
  end
  local held, isLeft = claim.share, claim.left > granted
  if claim.leftBefore <= 0 and (isLeft or claim.stored > held) and (rule.isSum or claim.isAsked) then
    freed[#freed + 1] = claim.key
  end
  if rule.staysUsed and claim.asked > 0 and not isLeft and held + elsewhere == 0 then
    usedUp[#usedUp + 1] = claim.key
  end
end

-- What the sender holds from now on

-- Makes a key stay at least until then; returns until when it does.
local function outlive(key, millis)
  local ttl = call('PTTL', key)
  if ttl < millis - now then
    ttl = millis - now + AMPLE
    call('PEXPIRE', key, text(ttl))
  end
  return now + ttl
end

local kept, returned, stays, longest, lease, leaseEnds = {}, {}, 0, 0, 0, ''
size = 0
for n = 1, #sharing do
  local claim = sharing[n]
  local held = claim.share
  if held > 0 then
    if claim.lease ~= lease then
      lease = claim.lease
      leaseEnds, longest = ' ' .. text(now + lease), max(longest, lease)
    end
    kept[size + 1], kept[size + 2] = claim.key, text(held) .. leaseEnds
    size = size + 2
    if claim.stays > stays then
      stays = claim.stays
    end
  elseif claim.isStored then
    returned[#returned + 1] = claim.key
  end
end
if size > 0 then
  local isBorn = call('HSET', KEYS[3], unpack(kept)) == size / 2
  local isDue = not isFresh(enteredAt)
  if isDue then
    call('ZADD', KEYS[4], text(now + longest + FRESH), me)
    enteredAt = now
  end
  -- A share must be found as long as its counter counts it, even if its holder has died.
  if isBorn or isDue or sharesStay < stays + grace then
    sharesStay = min(outlive(KEYS[3], stays + grace), outlive(KEYS[4], stays + grace))
  end
end
if #returned > 0 then
  call('HDEL', KEYS[3], unpack(returned))
end
for _, of in ipairs(ended) do
  for from = 1, #of.fields, MOST_ARGUMENTS do
    call('HDEL', of.key, unpack(of.fields, from, min(#of.fields, from + MOST_ARGUMENTS - 1)))
  end
end

local reply = table.concat(answers, ' ')
local head = { sequence, text(countedAt), text(instances), text(enteredAt), text(sharesStay) }
call('SET', KEYS[1], table.concat(head, ' ') .. '\n' .. reply, 'PX', ARGV[3])

-- News for the others, in one message. Whether they can be told changes nothing of what was done.
local news = ''

local function tell(kind, keys)
  if #keys > 0 then
    news = news .. kind .. ' ' .. table.concat(keys, ' ') .. '\n'
  end
end

tell('RECALLED', recalled)
tell('FREED', freed)
tell('USED_UP', usedUp)
if news ~= '' then
  pcall('PUBLISH', ARGV[5], news .. '\n' .. me)
end
return text(now) .. ' ' .. reply
