-- P: places for calls under way; figures: most, in use by the sender, since when calls of the sender wait (ms since 1970, or 0), and
-- when the sender counted them. Stored as a hash by instance: "in use, held, when they were counted, until".

function make.P()
  -- The most instances, and the most characters of the name of one or of what is stored of it.
  local MOST_INSTANCES, LONGEST_PLACE = 10000, 1024

  -- The fields of the hash, each followed by its value. A hash with more or longer ones is none of ours, and is removed.
  local function findAll(key)
    local names = (find('HLEN', key) or 0) <= MOST_INSTANCES and call('HKEYS', key)
    for n = 1, names and #names or 0 do
      if #names[n] > LONGEST_PLACE or call('HSTRLEN', key, names[n]) > LONGEST_PLACE then
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

  local function read(claim)
    claim.most, claim.inUse, claim.since, claim.counted = figure(), figure(), figure(), min(figure(), now)
  end

  local function count(claim)
    local found, taken, takenBefore = findAll(claim.key), 0, 0
    claim.gone = {}
    for n = 1, #found, 2 do
      local inUse, held, counted, ends = found[n + 1]:match('^(%d+) (%d+) (%d+) (%d+)$')
      inUse, held, counted, ends = number(inUse) or 0, number(held) or 0, number(counted) or 0, number(ends) or 0
      takenBefore = takenBefore + inUse + held
      if found[n] == me then
        claim.isKnown, claim.stored = true, held
      elseif ends > now then
        taken = taken + inUse + held
        claim.elsewhere, claim.holders = claim.elsewhere + held, claim.holders + (held > 0 and 1 or 0)
        -- An instance that has counted its places since the sender's calls began to wait has reported what it has free.
        if claim.since == 0 or counted < claim.since then
          claim.elsewhere = claim.elsewhere + inUse
        end
      else
        claim.gone[#claim.gone + 1] = found[n]
      end
    end
    claim.takenByOthers = taken
    claim.leftBefore = claim.most - takenBefore
    claim.left = claim.most - taken - claim.inUse - claim.held
  end

  local function keep(claim)
    local inUse, held = claim.inUse + claim.usedAtOnce, claim.share
    if inUse + held > 0 then
      -- Calls that pass with places granted now have not ended.
      local counted = claim.inUse > 0 and claim.counted or now
      local place = text(inUse) .. ' ' .. text(held) .. ' ' .. text(counted) .. ' ' .. text(now + claim.lease)
      call('HSET', claim.key, me, place)
    elseif claim.isKnown then
      claim.gone[#claim.gone + 1] = me
    end
    removeFields(claim.key, claim.gone)
    local total = claim.takenByOthers + inUse + held
    if total > 0 then
      call('PEXPIRE', claim.key, text(claim.lease + grace))
    end
    return total
  end

  return { read = read, count = count, keep = keep }
end
