-- T: a total, of a window; figures: cap, end of the window (ms since 1970)
-- Stored as a number: what was used, and all that is held.

function make.T()
  local function read(claim)
    claim.cap, claim.stays = figure(), figure()
  end

  -- The rest is what all have used and others hold. It is never negative: a refund may exceed it. If the counter alone was deleted, what
  -- is held of it still counts.
  local function count(claim)
    local found = claim.found or claim.stored + claim.othersHold + claim.lapsed
    local rest = max(max(found - claim.stored, 0) + claim.used, 0)
    rest = rest - min(claim.lapsed, rest)
    claim.rest, claim.lapsed, claim.elsewhere = rest, 0, claim.othersHold
    claim.left, claim.leftBefore = claim.cap - rest - claim.held, claim.cap - found
  end

  local function keep(claim, place)
    local key, found, total = claim.key, claim.found, claim.rest + claim.held + claim.granted
    if not found then
      if total > 0 then
        call('SET', key, text(total), 'PX', text(max(claim.stays - now, 0) + grace))
      end
      return total
    end
    if total ~= found then
      call('INCRBY', key, text(total - found))
    end
    if (place + turn) % 32 == 0 and call('PTTL', key) == -1 then
      call('PEXPIRE', key, text(max(claim.stays - now, 0) + grace))
    end
    return total
  end

  return { isSum = true, sharesApart = true, staysUsed = true, read = read, count = count, keep = keep }
end
