-- B: a bucket that refills; figures: the units of a token, of a millisecond, of a full bucket, and of the most it can be short of; uses.
-- Stored as "time calls time calls …", in order of time: the calls that took tokens; calls at about the same time are one entry. The
-- bucket is full once the tokens of all entries so far have flowed in again; the time until then is a busy period. The total is the
-- theoretical arrival time with all that is held, in whole milliseconds; the units beyond these are the only detail.

function make.B()
  local function read(claim)
    claim.token, claim.milli, claim.depth, claim.furthest = figure(), figure(), figure(), figure()
    claim.uses, claim.stays = uses(), now + claim.lease
  end

  -- When the bucket is full after one more entry, if it would be at `full` without it; in units from now.
  local function fullAfter(claim, full, taken)
    return max(full, (taken.at - now) * claim.milli) + taken.calls * claim.token
  end

  local function unitsToFull(claim)
    local full = -math.huge
    for _, taken in ipairs(claim.entries) do
      full = fullAfter(claim, full, taken)
    end
    return full
  end

  -- The units that still have to flow in until the bucket is full.
  local function ahead(claim)
    return min(max(0, unitsToFull(claim)), claim.furthest)
  end

  -- Cuts the entries to the most that a bucket can be short of.
  local function bound(claim)
    if unitsToFull(claim) <= claim.furthest then
      return
    end
    local entries = claim.entries
    for _, taken in ipairs(entries) do
      taken.at = min(taken.at, now)
    end
    local excess, place = unitsToFull(claim) - claim.furthest, #entries
    while excess > 0 and place > 0 do
      local cut = min(entries[place].calls, ceil(excess / claim.token))
      excess = excess - cut * claim.token
      entries[place].calls = entries[place].calls - cut
      if entries[place].calls == 0 then
        table.remove(entries, place)
      end
      place = place - 1
    end
  end

  -- Joins the two entries with the shortest pause between their busy periods: the earlier calls count as made just before the later
  -- ones, so that the bucket stays as short as it was. Entries within one busy period are joined only if there are no others, since
  -- their calls may yet be refunded.
  local function joinNearest(claim)
    local entries, full, nearest, shortest = claim.entries, -math.huge, 1, math.huge
    for n = 1, #entries - 1 do
      full = fullAfter(claim, full, entries[n])
      local pause = (entries[n + 1].at - now) * claim.milli - full
      if pause >= 0 and pause < shortest then
        nearest, shortest = n, pause
      end
    end
    local earlier, later = entries[nearest], table.remove(entries, nearest + 1)
    if shortest > 0 and shortest < math.huge then
      earlier.at = later.at - floor(earlier.calls * claim.token / claim.milli + 0.5)
    end
    earlier.calls = earlier.calls + later.calls
  end

  -- Joins neighbours of one busy period that are near each other, or so old that none of their calls is refunded any more. While there
  -- are still too many entries, joins the two between which the bucket was full for the shortest time.
  local function join(claim)
    local entries, full = { claim.entries[1] }, -math.huge
    local fills = claim.depth / claim.milli
    for n = 2, #claim.entries do
      local earlier, later = entries[#entries], claim.entries[n]
      local fullThen = fullAfter(claim, full, earlier)
      local isBusy = fullThen >= (later.at - now) * claim.milli
      if isBusy and (later.at - earlier.at <= fills / GRAINS or later.at < now - fills) then
        earlier.calls = earlier.calls + later.calls
      else
        full, entries[#entries + 1] = fullThen, later
      end
    end
    claim.entries = entries
    while #entries > MOST_ENTRIES do
      joinNearest(claim)
    end
  end

  local function take(claim, use)
    local entries, place = claim.entries, #claim.entries + 1
    while place > 1 and entries[place - 1].at > use.at do
      place = place - 1
    end
    table.insert(entries, place, { at = use.at, calls = use.count })
    bound(claim)
    join(claim)
  end

  -- The latest entry whose tokens had not all flowed in again at that time.
  local function lastingAt(claim, at)
    for n = #claim.entries, 1, -1 do
      local taken = claim.entries[n]
      if taken.at <= at and (taken.at - at) * claim.milli + taken.calls * claim.token > 0 then
        return n
      end
    end
  end

  -- Refunds calls: removes them from the entries that are nearest to their time. If none is near, their tokens have already flowed in
  -- again.
  local function putBack(claim, use)
    local entries, calls = claim.entries, -use.count
    while calls > 0 do
      local nearest, shortest = nil, claim.depth / claim.milli / GRAINS + ABOUT
      for n, taken in ipairs(entries) do
        local distance = math.abs(taken.at - use.at)
        if distance <= shortest then
          nearest, shortest = n, distance
        end
      end
      nearest = nearest or lastingAt(claim, use.at)
      if not nearest then
        return
      end
      local taken = entries[nearest]
      if taken.calls > calls then
        taken.calls = taken.calls - calls
        return
      end
      calls = calls - taken.calls
      table.remove(entries, nearest)
    end
  end

  -- Removes busy periods that ended two leases ago.
  local function forgetOld(claim)
    local entries, full, over = claim.entries, -math.huge, 0
    local long = -2 * claim.lease * claim.milli
    for n, taken in ipairs(entries) do
      if full < (taken.at - now) * claim.milli and full <= long then
        over = n - 1
      end
      full = fullAfter(claim, full, taken)
    end
    if full <= long then
      over = #entries
    end
    claim.entries = { unpack(entries, over + 1) }
  end

  -- The entries of a stored value. It is read number by number: a pattern for two would try each digit of a long one as a beginning.
  local function parse(value)
    local entries, at = {}, nil
    for digits in gmatch(value, '%d+') do
      if not at then
        at = number(digits) or 0
      elseif #entries < MOST_ENTRIES then
        entries[#entries + 1], at = { at = at, calls = number(digits) or 0 }, nil
      else
        return {}
      end
    end
    return entries
  end

  local function count(claim)
    claim.value = findText(claim.key, MOST_ENTRIES * 2 * (LONGEST_NUMBER + 1))
    claim.entries = parse(claim.value)
    forgetOld(claim)
    claim.elsewhere = claim.othersHold
    claim.leftBefore = floor((claim.depth - ahead(claim)) / claim.token) - claim.stored - claim.elsewhere - claim.lapsed
    for _, use in ipairs(claim.uses) do
      if use.count > 0 then
        take(claim, use)
      else
        putBack(claim, use)
      end
    end
    claim.left = floor((claim.depth - ahead(claim)) / claim.token) - claim.held - claim.elsewhere
  end

  local function keep(claim)
    if claim.usedAtOnce > 0 then
      take(claim, { at = now, count = claim.usedAtOnce })
    end
    local units = ahead(claim)
    if #claim.entries > 0 then
      local value = {}
      for n, taken in ipairs(claim.entries) do
        value[n] = text(taken.at) .. ' ' .. text(taken.calls)
      end
      -- As long as a late report can still belong to a busy period.
      local ttl = ceil(units / claim.milli) + 2 * claim.lease + grace
      call('SET', claim.key, table.concat(value, ' '), 'PX', text(ttl))
    elseif claim.value ~= '' then
      call('DEL', claim.key)
    end
    units = units + (claim.elsewhere + claim.share) * claim.token
    local beyond = math.fmod(units, claim.milli)
    return now + (units - beyond) / claim.milli, { beyond }
  end

  return { sharesApart = true, read = read, count = count, keep = keep }
end
