-- L: a log of calls; figures: most, period in ms; uses.
-- Stored as a sorted set of calls by their times. The detail is the time of the oldest call, 0 if there is none.

function make.L()
  local function read(claim)
    claim.most, claim.period = figure(), figure()
    claim.uses, claim.stays = uses(), now + claim.lease
  end

  local function note(claim, entries)
    for from = 1, #entries, MOST_ARGUMENTS do
      call('ZADD', claim.key, unpack(entries, from, min(#entries, from + MOST_ARGUMENTS - 1)))
    end
  end

  -- Removes the calls of the sender that are nearest to that time.
  local function forget(claim, use)
    local prefix, own = me .. ' ', {}
    local found = call('ZRANGE', claim.key, 0, -1, 'WITHSCORES')
    for n = 1, #found, 2 do
      if found[n]:sub(1, #prefix) == prefix then
        own[#own + 1] = { member = found[n], distance = math.abs(found[n + 1] - use.at) }
      end
    end
    table.sort(own, function(one, other)
      return one.distance < other.distance
    end)
    for n = 1, min(-use.count, #own) do
      call('ZREM', claim.key, own[n].member)
      claim.noted = claim.noted - 1
    end
  end

  local function count(claim)
    find('ZREMRANGEBYSCORE', claim.key, '-inf', text(now - claim.period))
    claim.noted = call('ZCARD', claim.key)
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
      oldest = tonumber(call('ZRANGE', claim.key, 0, 0, 'WITHSCORES')[2])
    end
    return claim.noted + claim.elsewhere + claim.share, { oldest }
  end

  return { sharesApart = true, read = read, count = count, keep = keep }
end
