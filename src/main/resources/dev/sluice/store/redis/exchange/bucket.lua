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
