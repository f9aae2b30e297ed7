-- T: the total of a window. Figures: the cap, and the end of the window (ms since 1970). Stored as a number: the used
-- permits plus the permits that are held or have lapsed, at most MOST_COUNT.

function make.T()
  local function read(statement)
    statement.cap, statement.stays = figure(), figure()
  end

  -- The total, excluding the permits that the sender holds or held when its lease lapsed, is the use of all instances
  -- plus the permits that other instances hold. It never becomes negative, even if a refund exceeds it. If only the
  -- counter was deleted, held and lapsed permits still count. A lapse itself does not change the total, because the
  -- total already includes the held permits.
  local function count(statement)
    local found = statement.found or countOfShares(statement)
    local ofOthers = max(found - statement.stored - statement.takenBack, 0)
    local withoutHeld = min(max(ofOthers + statement.used, 0), MOST_COUNT)
    statement.withoutHeld, statement.elsewhere = withoutHeld, statement.othersHold
    local cap = statement.cap + statement.given
    receive(statement)
    statement.left, statement.leftBefore = statement.cap + statement.given - withoutHeld - statement.held, cap - found
  end

  local function keep(statement, index)
    local key, found = statement.key, statement.found
    local total = min(statement.withoutHeld + statement.held + statement.granted, MOST_COUNT)
    if not found then
      if total > 0 then
        changed = true
        call('SET', key, text(total), 'PX', text(max(statement.stays - now, 0) + grace))
      end
      return total
    end
    if total ~= found then
      changed = true
      call('INCRBY', key, text(total - found))
    end
    if (index + turn) % 32 == 0 and call('PTTL', key) == -1 then
      call('PEXPIRE', key, text(max(statement.stays - now, 0) + grace))
    end
    return total
  end

  return { isSum = true, sharesApart = true, read = read, count = count, keep = keep }
end
