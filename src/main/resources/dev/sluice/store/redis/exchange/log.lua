-- L: a log of calls; figures: most, period in ms; uses.
-- Stored as a sorted set of calls by their times. The detail is the time of the oldest call, 0 if there is none.

function make.L()
  -- The most old calls that one exchange removes; how many calls a refund looks at first; and after how many none looks at more.
  local MOST_REMOVED, FIRST_PAGE, MOST_LOOKED = 5000, 100, 20000
  local looked = 0

  local function read(claim)
    claim.most, claim.period = figure(), figure()
    claim.uses, claim.stays = uses(), now + claim.lease
  end

  local function note(claim, entries)
    for from = 1, #entries, MOST_ARGUMENTS do
      call('ZADD', claim.key, unpack(entries, from, min(#entries, from + MOST_ARGUMENTS - 1)))
    end
  end

  -- Adds the calls of the sender among those that were found to the list; returns how far from that time all of its calls are known.
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

  -- The calls of the sender that are nearest to that time, the nearest first. Looks at a larger part of the log while there are too few.
  local function nearest(claim, use)
    local page, own = FIRST_PAGE, nil
    repeat
      own = {}
      local after = call('ZRANGEBYSCORE', claim.key, text(use.at), '+inf', 'WITHSCORES', 'LIMIT', 0, page)
      local since = '(' .. text(now - claim.period)
      local before = call('ZREVRANGEBYSCORE', claim.key, '(' .. text(use.at), since, 'WITHSCORES', 'LIMIT', 0, page)
      local known = min(addOwn(own, after, use, page), addOwn(own, before, use, page))
      table.sort(own, function(one, other)
        return one.distance < other.distance
      end)
      local last = own[-use.count]
      page = page * 10
    until known == math.huge or last and last.distance < known or looked > MOST_LOOKED
    return own
  end

  -- Removes the calls of the sender that are nearest to that time.
  local function forget(claim, use)
    local members = {}
    for n, found in ipairs(nearest(claim, use)) do
      if n > -use.count then
        break
      end
      members[n] = found.member
    end
    for from = 1, #members, MOST_ARGUMENTS do
      call('ZREM', claim.key, unpack(members, from, min(#members, from + MOST_ARGUMENTS - 1)))
    end
    claim.noted = claim.noted - #members
  end

  -- Removes calls that count no more, some at a time: those that stay first in the log are `claim.over`.
  local function forgetOld(claim)
    local over = find('ZCOUNT', claim.key, '-inf', text(now - claim.period)) or 0
    if over > 0 then
      over = over - call('ZREMRANGEBYRANK', claim.key, 0, min(over, MOST_REMOVED) - 1)
    end
    claim.over = over
  end

  local function count(claim)
    forgetOld(claim)
    claim.noted = call('ZCARD', claim.key) - claim.over
    claim.elsewhere = claim.othersHold
    claim.leftBefore = claim.most - claim.noted - claim.stored - claim.elsewhere - claim.lapsed
    local entries, number = {}, 0
    for _, use in ipairs(claim.uses) do
      if use.count < 0 then
        note(claim, entries)
        entries = {}
        forget(claim, use)
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
    claim.left = claim.most - claim.noted - claim.held - claim.elsewhere
  end

  local function keep(claim)
    local entries = {}
    for n = 1, claim.usedAtOnce do
      entries[2 * n - 1], entries[2 * n] = text(now), me .. ' ' .. sequence .. ' granted ' .. n
    end
    note(claim, entries)
    claim.noted = claim.noted + claim.usedAtOnce
    local oldest = 0
    if claim.noted > 0 then
      call('PEXPIRE', claim.key, text(claim.period + grace))
      oldest = tonumber(call('ZRANGE', claim.key, claim.over, claim.over, 'WITHSCORES')[2])
    end
    return claim.noted + claim.elsewhere + claim.share, { oldest }
  end

  return { sharesApart = true, read = read, count = count, keep = keep }
end
