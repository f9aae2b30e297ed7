-- B: a bucket that refills. Figures: the number of units in a token, per millisecond and in a full bucket; the maximum
-- number of units that the bucket can lack; and the uses. Stored as "pace time calls time calls …", in chronological
-- order. The entries are the calls that took tokens, and calls at about the same time share an entry. The permits that
-- an instance held when its lease lapsed are also stored as an entry, with the time of the lapse, until the instance
-- reports its actual use. The bucket is full once the tokens of all entries have flowed back in. The time until then is
-- a busy period. The total is the theoretical arrival time, including all shares, in whole milliseconds. The only
-- detail is the remaining units. The pace, that is, the refill rate, is stored as "token/milli". After a change, it is
-- "token/milli/token/milli/time", with the old pace and the time of the change.

function make.B()
  -- The maximum number of entries, and the maximum length of the stored text. Calls of a busy period share an entry if
  -- the time between them is at most the refill time of the bucket divided by GRAINS.
  local MOST_ENTRIES, GRAINS = Java.BusyPeriods.MOST, Java.BusyPeriods.GRAINS
  local LONGEST_BUCKET = Java.StoredForm.LONGEST_BUCKET
  -- The maximum difference between the reported and the stored time of a refunded call, and the time after which all
  -- instances have applied a change of the pace, both in ms.
  local ABOUT, LONGEST_CHANGE = Java.BusyPeriods.ABOUT_MILLIS, Java.BusyPeriods.LONGEST_CHANGE_MILLIS
  -- How long a busy period is stored after its end for late reports, as a number of leases.
  local LATE_LEASES = Java.StoreProtocol.LATE_LEASES

  local function read(statement)
    statement.token, statement.milli, statement.depth, statement.furthest = figure(), figure(), figure(), figure()
    statement.uses = uses()
  end

  local function hasPace(statement, pace)
    return pace.token == statement.token and pace.milli == statement.milli
  end

  -- Converts a time before the change. Between this time and the change, a number of tokens flowed in at the old pace.
  -- At the new pace, the same number flows in between the converted time and the change.
  local function moved(statement, before, at)
    local factor = before.milli * statement.token / (before.token * statement.milli)
    return max(0, before.till - floor((before.till - at) * factor))
  end

  -- Adopts the sender's figures. The bucket lacks the same number of tokens as before the change, and they flow in at
  -- the new pace. Instances apply a change one after the other. A sender that still has the old pace undoes the change
  -- for its own calls.
  local function follow(statement, pace, before)
    statement.before = before
    if not pace or hasPace(statement, pace) then
      return -- a full bucket has no stored pace
    end
    if before and hasPace(statement, before) and limitsSince - before.till < LONGEST_CHANGE then
      pace.till = before.till
    else
      pace.till = min(max(limitsSince, before and before.till or 0), now)
      statement.before = pace
    end
    for _, taken in ipairs(statement.entries) do
      if taken.at < pace.till then
        taken.at = moved(statement, pace, taken.at)
      end
    end
  end

  -- The time at which the bucket will be full with one more entry, in units from now. `full` is that time without the
  -- entry.
  local function fullAfter(statement, full, taken)
    return max(full, (taken.at - now) * statement.milli) + taken.calls * statement.token
  end

  local function unitsToFull(statement)
    local full = -math.huge
    for _, taken in ipairs(statement.entries) do
      full = fullAfter(statement, full, taken)
    end
    return full
  end

  -- The number of units that the bucket lacks.
  local function ahead(statement)
    return min(max(0, unitsToFull(statement)), statement.furthest)
  end

  -- Removes calls until the bucket lacks no more than the maximum.
  local function bound(statement)
    if unitsToFull(statement) <= statement.furthest then
      return
    end
    local entries = statement.entries
    for _, taken in ipairs(entries) do
      taken.at = min(taken.at, now)
    end
    local excess, index = unitsToFull(statement) - statement.furthest, #entries
    while excess > 0 and index > 0 do
      local cut = min(entries[index].calls, ceil(excess / statement.token))
      excess = excess - cut * statement.token
      entries[index].calls = entries[index].calls - cut
      if entries[index].calls == 0 then
        table.remove(entries, index)
      end
      index = index - 1
    end
  end

  -- If the clock has stepped back by more than the refill time of the bucket, treats calls in the future as if they
  -- were made now.
  local function comeBack(statement)
    local entries = statement.entries
    if #entries > 0 and entries[#entries].at - now > statement.depth / statement.milli then
      for _, taken in ipairs(entries) do
        taken.at = min(taken.at, now)
      end
    end
  end

  -- Merges the two entries with the shortest pause between their busy periods. Moves the earlier calls to just before
  -- the later ones, so the bucket lacks the same number of tokens. Merges entries within one busy period only if there
  -- are no other entries, because their calls could still be refunded.
  local function joinNearest(statement)
    local entries, full, nearest, shortest = statement.entries, -math.huge, 1, math.huge
    for n = 1, #entries - 1 do
      full = fullAfter(statement, full, entries[n])
      local pause = (entries[n + 1].at - now) * statement.milli - full
      if pause >= 0 and pause < shortest then
        nearest, shortest = n, pause
      end
    end
    local earlier, later = entries[nearest], table.remove(entries, nearest + 1)
    if shortest > 0 and shortest < math.huge then
      earlier.at = later.at - floor(earlier.calls * statement.token / statement.milli + 0.5)
    end
    earlier.calls = earlier.calls + later.calls
  end

  -- Merges neighbouring entries in one busy period that are close together, or too old for refunds. If too many entries
  -- remain, merges those between which the bucket was full for the shortest time.
  local function join(statement)
    local entries, full = { statement.entries[1] }, -math.huge
    local fills = statement.depth / statement.milli
    for n = 2, #statement.entries do
      local earlier, later = entries[#entries], statement.entries[n]
      local fullThen = fullAfter(statement, full, earlier)
      local isBusy = fullThen >= (later.at - now) * statement.milli
      if isBusy and (later.at - earlier.at <= fills / GRAINS or later.at < now - fills) then
        earlier.calls = earlier.calls + later.calls
      else
        full, entries[#entries + 1] = fullThen, later
      end
    end
    statement.entries = entries
    while #entries > MOST_ENTRIES do
      joinNearest(statement)
    end
  end

  local function insert(statement, at, calls)
    local entries, index = statement.entries, #statement.entries + 1
    while index > 1 and entries[index - 1].at > at do
      index = index - 1
    end
    table.insert(entries, index, { at = at, calls = calls })
  end

  local function take(statement, use)
    insert(statement, use.at, use.count)
    bound(statement)
    join(statement)
  end

  -- The time of some calls, converted as if the bucket had always had its current pace.
  local function atPresentPace(statement, at)
    local before = statement.before
    return before and at < before.till and moved(statement, before, at) or at
  end

  -- Lapsed permits count as used at the end of their lease.
  local function takeLapsed(statement)
    local lapses = uncountedLapses(statement, statement.value == '')
    for _, lapsed in ipairs(lapses) do
      insert(statement, atPresentPace(statement, lapsed.since), lapsed.permits)
    end
    if #lapses > 0 then
      bound(statement)
      join(statement)
    end
  end

  -- The latest entry whose tokens had not all flowed back in by the given time.
  local function lastingAt(statement, at)
    for n = #statement.entries, 1, -1 do
      local taken = statement.entries[n]
      if taken.at <= at and (taken.at - at) * statement.milli + taken.calls * statement.token > 0 then
        return n
      end
    end
  end

  -- Refunds calls by removing them from the entries nearest to their time. If no entry is near, their tokens have
  -- already flowed back in.
  local function putBack(statement, use)
    local entries, calls = statement.entries, -use.count
    while calls > 0 do
      local nearest, shortest = nil, statement.depth / statement.milli / GRAINS + ABOUT
      for n, taken in ipairs(entries) do
        local distance = math.abs(taken.at - use.at)
        if distance <= shortest then
          nearest, shortest = n, distance
        end
      end
      nearest = nearest or lastingAt(statement, use.at)
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

  -- Removes old busy periods.
  local function forgetOld(statement)
    local entries, full, over = statement.entries, -math.huge, 0
    local long = -LATE_LEASES * statement.lease * statement.milli
    for n, taken in ipairs(entries) do
      if full < (taken.at - now) * statement.milli and full <= long then
        over = n - 1
      end
      full = fullAfter(statement, full, taken)
    end
    if full <= long then
      over = #entries
    end
    statement.entries = { unpack(entries, over + 1) }
  end

  -- A pace; nil unless both numbers are positive.
  local function paceOf(token, milli)
    local pace = { token = number(token) or 0, milli = number(milli) or 0 }
    return pace.token > 0 and pace.milli > 0 and pace or nil
  end

  -- The pace in a stored value, the old pace, and the entries as text. A value without a pace was not written by
  -- Sluice, so its entries are ignored.
  local function parsePaces(value)
    local token, milli, change, remaining = match(value, '^(%d+)/(%d+)([%d/]*)(.*)$')
    local pace = paceOf(token, milli)
    if not pace then
      return nil, nil, ''
    end
    local tokenBefore, milliBefore, till = match(change, '^/(%d+)/(%d+)/(%d+)$')
    local before = paceOf(tokenBefore, milliBefore)
    if before then
      before.till = number(till) or 0
    end
    return pace, before, remaining
  end

  -- The entries of a stored value. Reads the numbers one by one, because a pattern for two numbers would try to start
  -- at every digit of a long number.
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

  -- Gives tokens on behalf of operators by removing the latest calls, at most until the bucket is full. Does not return
  -- lapsed tokens, because these have to flow in again. Returns the number of given tokens.
  local function fill(statement)
    local lapsed, entries = 0, statement.entries
    for _, one in ipairs(parseLapsed(statement.lapsed)) do
      if one.since > now - statement.depth / statement.milli then
        lapsed = lapsed + one.permits
      end
    end
    local given = max(0, min(statement.gives, ceil(ahead(statement) / statement.token) - lapsed))
    local left = given
    while left > 0 and #entries > 0 do
      local taken = entries[#entries]
      local cut = min(taken.calls, left)
      taken.calls, left = taken.calls - cut, left - cut
      if taken.calls == 0 then
        entries[#entries] = nil
      end
    end
    return given
  end

  local function count(statement)
    statement.value = findText(statement.key, LONGEST_BUCKET)
    local pace, before, entries = parsePaces(statement.value)
    statement.entries = parse(entries)
    follow(statement, pace, before)
    takeLapsed(statement)
    forgetOld(statement)
    comeBack(statement)
    statement.elsewhere = statement.othersHold
    statement.leftBefore = floor((statement.depth - ahead(statement)) / statement.token) - statement.stored - statement.elsewhere
    if statement.takenBack > 0 and statement.value ~= '' then
      local at = atPresentPace(statement, statement.takenBackAt)
      -- Otherwise, the lapsed tokens have already flowed back in, and later entries can only be calls of other
      -- instances.
      if statement.entries[1] and statement.entries[1].at <= at then
        putBack(statement, { at = at, count = -statement.takenBack })
      end
    end
    for _, use in ipairs(statement.uses) do
      use.at = atPresentPace(statement, use.at)
      if use.count > 0 then
        take(statement, use)
      else
        putBack(statement, use)
      end
    end
    statement.gave = statement.gives and fill(statement)
    statement.left = floor((statement.depth - ahead(statement)) / statement.token) - statement.held - statement.elsewhere
  end

  local function keep(statement)
    if statement.usedAtOnce > 0 then
      take(statement, { at = now, count = statement.usedAtOnce })
    end
    local units = ahead(statement)
    local withHeld = units + (statement.elsewhere + statement.share) * statement.token
    -- The time until the bucket is full, assuming that all held permits are used at the end of their lease.
    local fills = ceil(withHeld / statement.milli) + statement.lease
    -- Store the bucket as long as late reports can belong to a busy period.
    local late = (LATE_LEASES - 1) * statement.lease
    if #statement.entries > 0 or statement.share > 0 or statement.before then
      local value, before = { text(statement.token) .. '/' .. text(statement.milli) }, statement.before
      if before then
        value[1] = value[1] .. '/' .. text(before.token) .. '/' .. text(before.milli) .. '/' .. text(before.till)
      end
      for _, taken in ipairs(statement.entries) do
        value[#value + 1] = text(taken.at) .. ' ' .. text(taken.calls)
      end
      call('SET', statement.key, table.concat(value, ' '), 'PX', text(fills + late + grace))
    elseif statement.value ~= '' then
      call('DEL', statement.key)
    end
    -- The shares of other instances and the lapsed permits are relevant for the same time, even if the sender holds no
    -- permits.
    statement.stays = now + fills
    if (statement.others ~= '' or statement.lapsed ~= '') and statement.expires < statement.stays + grace then
      statement.expires, statement.changed = statement.stays + grace + AMPLE, true
    end
    local beyond = math.fmod(withHeld, statement.milli)
    return now + (withHeld - beyond) / statement.milli, { beyond }
  end

  return { sharesApart = true, read = read, count = count, keep = keep }
end
