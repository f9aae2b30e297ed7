-- F: a frame of a sliding window; figures: the most that the weighted sum may reach, how many earlier frames count, start and end of
-- the frame. Like a total whose cap is lowered by the weight of the earlier frames. The details are the totals of these.

function make.F()
  local total = ruleOf('T')
  local rule = { isSum = true, sharesApart = true }

  function rule.read(claim)
    claim.most, claim.frames, claim.starts, claim.ends = figure(), figure(), figure(), figure()
    claim.stays = claim.ends + claim.frames * (claim.ends - claim.starts)
    claim.before, claim.past = {}, {}
    for frame = 1, claim.frames do
      claim.before[frame] = nextKey()
    end
  end

  -- Nothing is granted of a frame that is over.
  local function capOfFrame(claim)
    if now >= claim.ends then
      return -math.huge
    end
    local length, weight = claim.ends - claim.starts, 0
    for frame = 1, claim.frames - 1 do
      weight = weight + claim.past[frame]
    end
    local covered = length - min(max(now - claim.starts, 0), length)
    return claim.most - weight - ceil(claim.past[claim.frames] * covered / length)
  end

  function rule.count(claim)
    claim.cap = capOfFrame(claim)
    local asks = total.count(claim)
    if claim.capBefore then
      claim.leftBefore = claim.capBefore - (claim.found or 0)
    end
    -- What is returned to a frame that is over benefits the frames after it, which are claimed later in the same batch.
    for _, later in ipairs(now >= claim.ends and framesAfter[claim.key] or NONE) do
      later.claim.capBefore = later.claim.capBefore or capOfFrame(later.claim)
      later.claim.past[later.frame] = claim.rest + claim.held
    end
    return asks
  end

  function rule.meet(claim, permits, frame)
    claim.elsewhere = claim.elsewhere + permits
    claim.holders = claim.holders + (frame == 0 and 1 or 0)
  end

  function rule.takeBack(claim, permits, frame)
    if frame == 0 then
      total.takeBack(claim, permits)
      return
    end
    local lapsed = min(permits, claim.past[frame])
    if lapsed > 0 then
      claim.past[frame] = call('INCRBY', claim.before[frame], -lapsed)
      if now < claim.ends then
        local cap = capOfFrame(claim)
        claim.left, claim.cap = claim.left + cap - claim.cap, cap
      end
    end
  end

  function rule.keep(claim, place)
    return total.keep(claim, place), claim.past
  end

  return rule
end
