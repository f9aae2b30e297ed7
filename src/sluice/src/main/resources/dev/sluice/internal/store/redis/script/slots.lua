-- P: slots for calls in flight. Figures: the number of slots; the number of slots that the sender uses; when calls of
-- the sender began to wait (ms since 1970, or 0); and the time at which the sender had this use. Stored as a hash
-- with a field for each instance: "in use, held, as of, until".

function make.P()
  -- The maximum number of instances, and the maximum length of an instance's name or value.
  local MOST_HOLDERS, LONGEST = Java.StoredForm.MOST_SLOT_HOLDERS, Java.StoredForm.LONGEST_SLOTS

  -- The fields of the hash, each followed by its value. Removes a hash with more or longer fields, because Sluice
  -- cannot have written it.
  local function findAll(key)
    local names = (find('HLEN', key) or 0) <= MOST_HOLDERS and call('HKEYS', key)
    for n = 1, names and #names or 0 do
      if #names[n] > LONGEST or call('HSTRLEN', key, names[n]) > LONGEST then
        names = nil
        break
      end
    end
    if names then
      return #names > 0 and call('HGETALL', key) or names
    end
    call('UNLINK', key)
    return {}
  end

  local function read(statement)
    statement.most, statement.inUse, statement.since, statement.asOf = figure(), figure(), figure(), min(figure(), now)
  end

  local function count(statement)
    local found, taken, takenBefore = findAll(statement.key), 0, 0
    statement.gone, statement.slotHolders = {}, {}
    for n = 1, #found, 2 do
      local inUse, held, asOf, ends = found[n + 1]:match('^(%d+) (%d+) (%d+) (%d+)$')
      inUse, held, asOf, ends = number(inUse) or 0, number(held) or 0, number(asOf) or 0, number(ends) or 0
      takenBefore = takenBefore + inUse + held
      if found[n] == me then
        statement.isKnown, statement.stored = true, held
      elseif ends > now then
        taken = taken + inUse + held
        statement.elsewhere, statement.holders = statement.elsewhere + held, statement.holders + (held > 0 and 1 or 0)
        -- If an instance has reported after the sender's calls began to wait, it has already reported its free slots.
        if statement.since == 0 or asOf < statement.since then
          statement.elsewhere = statement.elsewhere + inUse
        end
        statement.slotHolders[#statement.slotHolders + 1] = found[n]
      else
        statement.gone[#statement.gone + 1] = found[n]
      end
    end
    statement.takenByOthers = taken
    statement.leftBefore = statement.most - takenBefore
    statement.left = statement.most - taken - statement.inUse - statement.held
  end

  local function keep(statement)
    local inUse, held = statement.inUse + statement.usedAtOnce, statement.share
    if inUse + held > 0 then
      -- The calls that take the newly granted slots have not ended yet.
      local asOf = statement.inUse > 0 and statement.asOf or now
      local lease = text(inUse) .. ' ' .. text(held) .. ' ' .. text(asOf) .. ' ' .. text(now + statement.lease)
      call('HSET', statement.key, me, lease)
    elseif statement.isKnown then
      statement.gone[#statement.gone + 1] = me
    end
    removeFields(statement.key, statement.gone)
    local total = statement.takenByOthers + inUse + held
    if total > 0 then
      call('PEXPIRE', statement.key, text(statement.lease + grace))
    end
    return total
  end

  return { read = read, count = count, keep = keep }
end
