-- F: a frame of a sliding window; figures: the most that the weighted sum may reach, how many earlier frames count, start and end of
-- the frame. Like a total whose cap is lowered by the weight of the earlier frames. The details are the totals of these.

function make.F()
  local total = ruleOf('T')
  -- By its key, each frame of this batch.
  local frames = {}

  -- An earlier frame: its claim, if the sender reports it in the same batch, since it may return what this one needs.
  local function earlierFrame(key, shares)
    local frame = frames[key]
    if not frame then
      frame = {
        key = key, stored = 0, own = '', isStored = false, expires = 0, changed = false, othersHold = 0, holders = 1, others = '',
        lapsed = 0, earliest = math.huge, ownEnds = 0, found = false, weighs = 0
      }
      frames[key] = frame
      if shares then
        readShares(frame, shares)
      end
      addSum(frame)
    end
    return frame
  end

  local function read(claim)
    claim.most, claim.numberEarlier, claim.starts, claim.ends = figure(), figure(), figure(), figure()
    claim.stays = claim.ends + claim.numberEarlier * (claim.ends - claim.starts)
    claim.earlier = {}
    for n = 1, claim.numberEarlier do
      claim.earlier[n] = earlierFrame(nextKey())
    end
    frames[claim.key] = claim
  end

  -- Nothing is granted of a frame that is over. `count` names what is known of the earlier frames.
  local function cap(claim, count)
    if now >= claim.ends then
      return -math.huge
    end
    local length, earlier, weight = claim.ends - claim.starts, claim.earlier, 0
    for n = 1, #earlier - 1 do
      weight = weight + max(earlier[n][count] or 0, 0)
    end
    local covered = length - min(max(now - claim.starts, 0), length)
    return claim.most - weight - ceil(max(earlier[#earlier][count] or 0, 0) * covered / length)
  end

  local function subtractLapsed(frame)
    local lapsed = min(frame.lapsed, frame.weighs)
    frame.lapsed = 0
    if lapsed > 0 then
      frame.weighs = call('INCRBY', frame.key, text(-lapsed))
    end
    keepShares(frame, frame.own, frame.stored, frame.ownEnds)
  end

  local function count(claim)
    local elsewhere = claim.othersHold
    for _, frame in ipairs(claim.earlier) do
      elsewhere = elsewhere + frame.othersHold
      if frame.lapsed > 0 then
        subtractLapsed(frame)
      end
    end
    claim.cap = cap(claim, 'weighs')
    total.count(claim)
    claim.elsewhere, claim.leftBefore = elsewhere, cap(claim, 'found') - (claim.found or 0)
    if now >= claim.ends then
      claim.weighs = claim.rest + claim.held
    end
  end

  local function keep(claim, place)
    local details = {}
    for n, frame in ipairs(claim.earlier) do
      details[n] = frame.weighs
    end
    return total.keep(claim, place), details
  end

  return { isSum = true, sharesApart = true, read = read, count = count, keep = keep }
end
