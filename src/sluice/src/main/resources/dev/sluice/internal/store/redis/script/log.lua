-- L: a log of calls. Figures: the maximum number of calls, the period in ms, and the uses. Stored as a sorted set. The
-- calls at one time are stored as a few members whose weights are powers of two: 100 calls, for example, are members
-- with the weights 4, 32 and 64. A score is the time, plus one SPAN for each doubling of the weight. Members of the
-- same weight are therefore adjacent and in chronological order, and Redis counts the members of a period without
-- reading them. The effort does not depend on the cost of calls. Members that no longer count are ignored even before
-- they are removed. The permits that an instance held when its lease lapsed are also stored as calls, with the time of
-- the lapse, until the instance reports its actual use. The detail is the time of the oldest call; 0 if there is none.

function make.L()
  -- The difference between the scores of two successive weights, in ms, and the maximum number of times that a weight
  -- is doubled.
  local SPAN, MOST_DOUBLINGS = Java.StoredForm.SPAN, Java.StoredForm.MOST_DOUBLINGS
  -- The maximum number of members that one exchange removes or moves; the number of members of each weight that a
  -- refund checks at first; and the maximum number of members that all refunds of an exchange check.
  local MOST_REMOVED, FIRST_PAGE, MOST_LOOKED = 5000, 50, 20000
  local looked = 0
  -- The sequence without leading zeros, because each member contains it.
  local shortSequence = match(sequence, '^0*(%d+)$')

  local function read(statement)
    statement.most, statement.period = figure(), figure()
    -- Permits that are still held when the lease ends count as used for one period from then on.
    statement.uses, statement.stays = uses(), now + statement.lease + statement.period
    statement.members = 0
  end

  -- The score of a time for members of the given weight, and the corresponding exclusive bound for queries.
  local function score(doublings, at)
    return text(doublings * SPAN + at)
  end

  local function after(doublings, at)
    return '(' .. score(doublings, at)
  end

  local function note(statement, entries)
    callInParts('ZADD', statement.key, entries)
  end

  -- Adds members for the given number of calls at the given time to the entries.
  local function add(statement, entries, at, calls)
    local doublings = 0
    at = min(max(at, 0), SPAN - 1)
    while calls > 0 do
      if calls % 2 == 1 then
        statement.members, statement.highest = statement.members + 1, max(statement.highest, doublings)
        entries[#entries + 1] = score(doublings, at)
        entries[#entries + 1] = me .. ' ' .. shortSequence .. ' ' .. statement.members
      end
      calls, doublings = floor(calls / 2), doublings + 1
    end
  end

  -- Calls a function for each member that represents permits that an instance held when its lease lapsed. Passes the
  -- member's doublings and name. The names do not depend on the current time, so the instance's next statement can
  -- remove the members.
  local function eachLapsed(instance, since, permits, visit)
    local calls, doublings = min(permits, 2 ^ MOST_DOUBLINGS), 0
    while calls > 0 do
      if calls % 2 == 1 then
        visit(doublings, instance .. ' !' .. text(since) .. ' ' .. doublings)
      end
      calls, doublings = floor(calls / 2), doublings + 1
    end
  end

  -- Lapsed permits count as used at the end of their lease.
  local function noteLapsed(statement)
    local entries = {}
    for _, lapsed in ipairs(uncountedLapses(statement, statement.highest == -1)) do
      if lapsed.since > statement.since then
        eachLapsed(lapsed.instance, lapsed.since, lapsed.permits, function(doublings, name)
          entries[#entries + 1], entries[#entries + 2] = score(doublings, lapsed.since), name
          statement.highest, statement.noted = max(statement.highest, doublings), statement.noted + 2 ^ doublings
        end)
      end
    end
    note(statement, entries)
  end

  local function takeLapsedBack(statement)
    eachLapsed(holder, statement.takenBackAt, statement.takenBack, function(doublings, name)
      if call('ZREM', statement.key, name) == 1 and statement.takenBackAt > statement.since then
        statement.noted = statement.noted - 2 ^ doublings
      end
    end)
  end

  -- Adds to the list those of the found members that belong to the sender. Returns the distance from the time of the
  -- use within which all members are known.
  local function addOwn(own, found, use, page, doublings)
    local prefix = me .. ' '
    for n = 1, #found, 2 do
      if found[n]:sub(1, #prefix) == prefix then
        local at = found[n + 1] - doublings * SPAN
        own[#own + 1] = { member = found[n], calls = 2 ^ doublings, at = at, distance = math.abs(at - use.at) }
      end
    end
    looked = looked + #found / 2
    return #found < 2 * page and math.huge or math.abs(found[#found] - doublings * SPAN - use.at)
  end

  -- Whether the first members represent enough calls, and are nearer than all members that have not been read.
  local function isEnough(own, calls, known)
    for n = 1, #own do
      calls = calls - own[n].calls
      if calls <= 0 then
        return own[n].distance < known
      end
    end
    return false
  end

  -- The sender's members, sorted by their distance from the time of the use. Reads more of the log while there are too
  -- few members.
  local function nearest(statement, use)
    local page, own, known = FIRST_PAGE, nil, nil
    repeat
      own, known = {}, math.huge
      for doublings = 0, statement.highest do
        local at, since = score(doublings, use.at), after(doublings, statement.since)
        local later = call('ZRANGEBYSCORE', statement.key, at, after(doublings + 1, 0), 'WITHSCORES', 'LIMIT', 0, page)
        local earlier = call('ZREVRANGEBYSCORE', statement.key, '(' .. at, since, 'WITHSCORES', 'LIMIT', 0, page)
        known = min(known, addOwn(own, later, use, page, doublings), addOwn(own, earlier, use, page, doublings))
      end
      table.sort(own, function(one, other)
        if one.distance == other.distance then
          return one.calls < other.calls
        end
        return one.distance < other.distance
      end)
      page = page * 10
    until known == math.huge or isEnough(own, -use.count, known) or looked > MOST_LOOKED
    return own
  end

  -- Removes the given number of calls from the members, in order. If calls of a member remain, stores them as new
  -- members. Returns the number of removed calls.
  local function remove(statement, found, most)
    local calls, members, remaining = most, {}, {}
    for n = 1, #found do
      if calls <= 0 then
        break
      end
      local removed = min(calls, found[n].calls)
      members[#members + 1] = found[n].member
      add(statement, remaining, found[n].at, found[n].calls - removed)
      calls, statement.noted = calls - removed, statement.noted - removed
    end
    callInParts('ZREM', statement.key, members)
    note(statement, remaining)
    return most - calls
  end

  -- The members, latest first, except those for lapsed permits.
  local function latest(statement)
    local members = {}
    for doublings = 0, statement.highest do
      local since, next = after(doublings, statement.since), after(doublings + 1, 0)
      local found = call('ZREVRANGEBYSCORE', statement.key, next, since, 'WITHSCORES', 'LIMIT', 0, MOST_REMOVED)
      for n = 1, #found, 2 do
        if not match(found[n], ' !%d+ %d+$') then
          members[#members + 1] = { member = found[n], at = found[n + 1] - doublings * SPAN, calls = 2 ^ doublings }
        end
      end
    end
    table.sort(members, function(one, other)
      return one.at > other.at or (one.at == other.at and one.calls < other.calls)
    end)
    return members
  end

  -- Removes members that no longer count, up to a maximum number. If the clock has stepped back by more than a period,
  -- moves calls in the future to the present, also up to a maximum number. Counts the other members.
  local function tidy(statement)
    local key, room, rank, noted = statement.key, MOST_REMOVED, 0, 0
    for doublings = 0, statement.highest do
      local since, next = score(doublings, statement.since), after(doublings + 1, 0)
      local over = call('ZCOUNT', key, doublings == 0 and '-inf' or score(doublings, 0), since)
      if over > 0 and room > 0 then
        local removed = call('ZREMRANGEBYRANK', key, rank, rank + min(over, room) - 1)
        over, room = over - removed, room - removed
      end
      local entries, ahead = {}, after(doublings, now + statement.period)
      for n, member in ipairs(call('ZRANGEBYSCORE', key, ahead, next, 'LIMIT', 0, room)) do
        entries[2 * n - 1], entries[2 * n] = score(doublings, now), member
      end
      note(statement, entries)
      room = room - #entries / 2
      local alive = call('ZCOUNT', key, '(' .. since, next)
      rank, noted = rank + over + alive, noted + alive * 2 ^ doublings
    end
    return noted
  end

  -- The number of calls that count. Also sets the number of doublings of the highest weight, or -1 if the log is empty.
  local function countNoted(statement)
    local key, noted, members = statement.key, 0, 0
    local last = find('ZRANGE', key, -1, -1, 'WITHSCORES') or {}
    statement.since, statement.highest = max(now - statement.period, 0), last[2] and max(floor(last[2] / SPAN), 0) or -1
    if statement.highest > MOST_DOUBLINGS then
      call('UNLINK', key) -- Sluice has not written this value
      statement.highest = -1
    end
    for doublings = 0, statement.highest do
      local alive = call('ZCOUNT', key, after(doublings, statement.since), score(doublings, now + statement.period))
      members, noted = members + alive, noted + alive * 2 ^ doublings
    end
    return (statement.highest == -1 or call('ZCARD', key) == members) and noted or tidy(statement)
  end

  local function count(statement)
    statement.noted = countNoted(statement)
    noteLapsed(statement)
    statement.elsewhere = statement.othersHold
    statement.leftBefore = statement.most - statement.noted - statement.stored - statement.elsewhere
    takeLapsedBack(statement)
    local entries = {}
    for _, use in ipairs(statement.uses) do
      if use.at <= now - statement.period then
        -- the call no longer counts, so there is nothing to add or refund
      elseif use.count < 0 then
        note(statement, entries)
        entries = {}
        remove(statement, nearest(statement, use), -use.count)
      else
        local calls = min(use.count, 2 ^ MOST_DOUBLINGS)
        add(statement, entries, use.at, calls)
        statement.noted = statement.noted + calls
      end
    end
    note(statement, entries)
    if statement.gives then -- remove the latest calls, because they would count for the longest time
      statement.gave = remove(statement, latest(statement), statement.gives)
    end
    statement.left = statement.most - statement.noted - statement.held - statement.elsewhere
  end

  local function keep(statement)
    local entries = {}
    add(statement, entries, now, statement.usedAtOnce)
    note(statement, entries)
    statement.noted = statement.noted + statement.usedAtOnce
    local oldest = math.huge
    if statement.noted > 0 then
      call('PEXPIRE', statement.key, text(statement.period + grace))
      for doublings = 0, statement.highest do
        local since, next = after(doublings, statement.since), after(doublings + 1, 0)
        local first = call('ZRANGEBYSCORE', statement.key, since, next, 'WITHSCORES', 'LIMIT', 0, 1)
        oldest = min(oldest, first[2] and first[2] - doublings * SPAN or oldest)
      end
    end
    return statement.noted + statement.elsewhere + statement.share, { oldest < math.huge and oldest or 0 }
  end

  return { sharesApart = true, read = read, count = count, keep = keep }
end
