-- L: a log of calls; figures: most, period in ms; uses.
-- Stored as a sorted set of calls by time. The detail is the time of the oldest call, 0 if there is none.

function make.L()
  -- The most old calls that one exchange removes; how many calls a refund checks first; and the most calls that all
  -- refunds check.
  local MOST_REMOVED, FIRST_PAGE, MOST_LOOKED = 5000, 100, 20000
  local looked = 0

  local function read(statement)
    statement.most, statement.period = figure(), figure()
    statement.uses, statement.stays = uses(), now + statement.lease
  end

  local function note(statement, entries)
    callInParts('ZADD', statement.key, entries)
  end

  -- Adds the sender's calls among the found ones to the list. Returns within which distance of that time all of its
  -- calls are known.
  local function addOwn(own, found, use, page)
    local prefix = me .. ' '
    for n = 1, #found, 2 do
      if found[n]:sub(1, #prefix) == prefix then
        own[#own + 1] = { member = found[n], distance = math.abs(found[n + 1] - use.at) }
      end
    end
    looked = looked + #found / 2
    return #found < 2 * page and math.huge or math.abs(found[#found] - use.at)
  end

  -- The sender's calls in order of their distance to that time. Reads a larger part of the log while there are too few.
  local function nearest(statement, use)
    local page, own = FIRST_PAGE, nil
    repeat
      own = {}
      local after = call('ZRANGEBYSCORE', statement.key, text(use.at), '+inf', 'WITHSCORES', 'LIMIT', 0, page)
      local since = '(' .. text(now - statement.period)
      local before = call('ZREVRANGEBYSCORE', statement.key, '(' .. text(use.at), since, 'WITHSCORES', 'LIMIT', 0, page)
      local known = min(addOwn(own, after, use, page), addOwn(own, before, use, page))
      table.sort(own, function(one, other)
        return one.distance < other.distance
      end)
      local last = own[-use.count]
      page = page * 10
    until known == math.huge or last and last.distance < known or looked > MOST_LOOKED
    return own
  end

  -- Removes the sender's calls that are nearest to that time.
  local function forget(statement, use)
    local members = {}
    for n, found in ipairs(nearest(statement, use)) do
      if n > -use.count then
        break
      end
      members[n] = found.member
    end
    callInParts('ZREM', statement.key, members)
    statement.noted = statement.noted - #members
  end

  -- Removes calls that no longer count, some at a time; `statement.over` is how many of them stay at the start of the
  -- log.
  local function forgetOld(statement)
    local over = find('ZCOUNT', statement.key, '-inf', text(now - statement.period)) or 0
    if over > 0 then
      over = over - call('ZREMRANGEBYRANK', statement.key, 0, min(over, MOST_REMOVED) - 1)
    end
    statement.over = over
  end

  -- If the clock has stepped back by more than a period, calls in the future count as now: some at a time.
  local function comeBack(statement)
    local entries, since = {}, '(' .. text(now + statement.period)
    for n, member in ipairs(call('ZRANGEBYSCORE', statement.key, since, '+inf', 'LIMIT', 0, MOST_REMOVED)) do
      entries[2 * n - 1], entries[2 * n] = text(now), member
    end
    note(statement, entries)
  end

  local function count(statement)
    forgetOld(statement)
    comeBack(statement)
    statement.noted = call('ZCARD', statement.key) - statement.over
    statement.elsewhere = statement.othersHold
    statement.leftBefore = statement.most - statement.noted - statement.stored - statement.elsewhere - statement.lapsed
    local entries, number = {}, 0
    for _, use in ipairs(statement.uses) do
      if use.at <= now - statement.period then
        -- it counts no more, so nothing is noted or given back
      elseif use.count < 0 then
        note(statement, entries)
        entries = {}
        forget(statement, use)
      else
        for _ = 1, min(use.count, statement.most) do
          number = number + 1
          entries[#entries + 1] = text(use.at)
          entries[#entries + 1] = me .. ' ' .. sequence .. ' ' .. number
          statement.noted = statement.noted + 1
        end
      end
    end
    note(statement, entries)
    statement.left = statement.most - statement.noted - statement.held - statement.elsewhere
  end

  local function keep(statement)
    local entries = {}
    for n = 1, statement.usedAtOnce do
      entries[2 * n - 1], entries[2 * n] = text(now), me .. ' ' .. sequence .. ' granted ' .. n
    end
    note(statement, entries)
    statement.noted = statement.noted + statement.usedAtOnce
    local oldest = 0
    if statement.noted > 0 then
      call('PEXPIRE', statement.key, text(statement.period + grace))
      oldest = tonumber(call('ZRANGE', statement.key, statement.over, statement.over, 'WITHSCORES')[2])
    end
    return statement.noted + statement.elsewhere + statement.share, { oldest }
  end

  return { sharesApart = true, read = read, count = count, keep = keep }
end
