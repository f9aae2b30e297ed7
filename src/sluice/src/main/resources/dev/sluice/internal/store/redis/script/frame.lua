-- F: a frame of a sliding window. Figures: the limit on the weighted sum, the number of earlier frames that affect it,
-- and the start and the end of the frame. A frame works like a total with a cap that is lowered by the weight of the
-- earlier frames. The details are the totals of the earlier frames, minus the calls given to these frames. A total is
-- negative if fewer calls were used than given.

function make.F()
  local total = ruleOf('T')
  -- The frames of this batch, by key.
  local frames = {}

  -- An earlier frame. If the same batch has a statement for the frame, uses that statement, because it might return
  -- permits that the current frame needs.
  local function earlierFrame(key, shares)
    local frame = frames[key]
    if not frame then
      frame = {
        key = key, stored = 0, own = '', isStored = false, expires = 0, changed = false, othersHold = 0, holders = 1, others = '',
        lapsed = '', newlyLapsed = NONE, takenBack = 0, given = 0, earliest = math.huge, ownEnds = 0, waiting = '', found = false, weighs = 0
      }
      frames[key] = frame
      if shares then
        readShares(frame, shares)
      end
      addSum(frame)
    end
    return frame
  end

  local function read(statement)
    statement.most, statement.numberEarlier, statement.starts, statement.ends = figure(), figure(), figure(), figure()
    statement.stays = statement.ends + statement.numberEarlier * (statement.ends - statement.starts)
    statement.earlier = {}
    for n = 1, statement.numberEarlier do
      statement.earlier[n] = earlierFrame(nextKey())
    end
    frames[statement.key] = statement
  end

  -- The use of an earlier frame, minus the calls given to that frame. The result can be negative. In the oldest frame,
  -- a negative result is ignored, because a gift offsets only the use before it.
  local function countOf(frame, count)
    return max(frame[count] or 0, 0) - frame.given
  end

  -- The cap of a frame. A past frame grants no permits. `count` is the field with the count of each earlier frame.
  local function cap(statement, count)
    if now >= statement.ends then
      return -math.huge
    end
    local length, earlier, weight = statement.ends - statement.starts, statement.earlier, 0
    for n = 1, #earlier - 1 do
      weight = weight + countOf(earlier[n], count)
    end
    local covered = length - min(max(now - statement.starts, 0), length)
    return statement.most - max(0, weight + ceil(max(countOf(earlier[#earlier], count), 0) * covered / length))
  end

  local function count(statement)
    local elsewhere = statement.othersHold
    for _, frame in ipairs(statement.earlier) do
      elsewhere = elsewhere + frame.othersHold
      -- Leases have ended, so the lines of the frame must be stored. If the frame has a statement, they are stored with
      -- the statement.
      if frame.changed and not frame.rule then
        frame.changed = false
        keepShares(frame, frame.own, frame.stored, frame.ownEnds)
      end
    end
    local givenBefore = statement.given
    statement.cap = cap(statement, 'weighs')
    total.count(statement)
    statement.elsewhere, statement.leftBefore = elsewhere, cap(statement, 'found') + givenBefore - (statement.found or 0)
    if now >= statement.ends then
      statement.weighs = statement.withoutHeld + statement.held
    end
  end

  local function keep(statement, index)
    local details = {}
    for n, frame in ipairs(statement.earlier) do
      details[n] = countOf(frame, 'weighs')
    end
    return total.keep(statement, index), details
  end

  return { isSum = true, sharesApart = true, read = read, count = count, keep = keep }
end
