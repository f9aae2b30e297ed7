-- T: a total, of a window; figures: cap, end of the window (ms since 1970)
-- Stored as a number: what was used, and all that is held.

function make.T()
  local rule = { isSum = true, sharesApart = true, staysUsed = true }

  function rule.read(claim)
    claim.cap, claim.stays = figure(), figure()
  end

  function rule.count(claim)
    -- What all have used and others hold. It is never negative: a refund may exceed it, and a lost counter has less than the sender
    -- holds.
    local found, cap, held, asked = claim.found or 0, claim.cap, claim.held, claim.asked
    local rest = max(max(found - claim.stored, 0) + claim.used, 0)
    local left = cap - rest - held
    claim.rest, claim.left, claim.leftBefore = rest, left, cap - found
    if held + asked == 0 then
      return isOverdrawn(claim)
    end
    local granted = asked == 0 and 0 or grant(claim, numberOfInstances())
    return granted < asked or left - granted < SCARCE * cap or (asked > 0 and cap <= SMALL)
  end

  function rule.meet(claim, permits)
    claim.elsewhere, claim.holders = claim.elsewhere + permits, claim.holders + 1
  end

  function rule.takeBack(claim, permits)
    local lapsed = min(permits, claim.rest)
    claim.rest, claim.left = claim.rest - lapsed, claim.left + lapsed
  end

  function rule.keep(claim, place)
    local key, total = claim.key, claim.rest + claim.held + claim.granted
    if not claim.found then
      if total > 0 then
        call('SET', key, text(total), 'PX', text(max(claim.stays - now, 0) + grace))
      end
      return total
    end
    if total ~= claim.found then
      call('INCRBY', key, text(total - claim.found))
    end
    if (place + turn) % 32 == 0 and call('PTTL', key) == -1 then
      call('PEXPIRE', key, text(max(claim.stays - now, 0) + grace))
    end
    return total
  end

  return rule
end
