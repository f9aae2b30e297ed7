-- All claims: reads them, counts what was used, reads the shares of others where needed, grants, and writes.

local claims, lastKey = {}, #KEYS
-- The claims whose share stands in the hash of the sender (KEYS[1]), not in the counter.
local sharing = {}
-- The keys of totals and frames; for each, its claim, and 0 for the claim's own counter or the number of the earlier frame.
local sumKeys, sumClaims, sumFrames = {}, {}, {}

while atKey <= lastKey do
  local at, stored = atArgument, own[atKey - FIRST_COUNTER + 3]
  local key = nextKey()
  local rule = ruleOf(ARGV[at])
  -- Adding 0 converts a text to a number, faster than tonumber.
  local held, needed, wanted = ARGV[at + 2] + 0, ARGV[at + 3] + 0, ARGV[at + 6] + 0
  -- All fields are set here, also those that are computed later: a table that grows costs more.
  local claim = {
    key = key, rule = rule, used = ARGV[at + 1] + 0, held = held, needed = needed, least = ARGV[at + 4] + 0,
    isUsedAtOnce = ARGV[at + 5] == '1', wanted = wanted, asked = needed + wanted, lease = ARGV[at + 7] + 0, before = NONE,
    stored = 0, isStored = false, found = false, holders = 1, elsewhere = 0, granted = 0, usedAtOnce = 0, share = held,
    isAsked = false, cap = 0, stays = 0, rest = 0, left = 0, leftBefore = 0
  }
  atArgument = at + 8
  rule.read(claim)
  claims[#claims + 1] = claim
  if rule.sharesApart then
    sharing[#sharing + 1] = claim
    if stored then
      claim.stored, claim.isStored = (match(stored, '^%d+') or 0) + 0, true
    end
  end
  for frame = 0, rule.isSum and #claim.before or -1 do
    local n = #sumKeys + 1
    sumKeys[n], sumClaims[n], sumFrames[n] = frame == 0 and key or claim.before[frame], claim, frame
    if frame > 0 then
      local after = framesAfter[sumKeys[n]] or {}
      framesAfter[sumKeys[n]] = after
      after[#after + 1] = { claim = claim, frame = frame }
    end
  end
end

-- The stored totals and frames. A value under our key that is no count is replaced.
for from = 1, #sumKeys, MOST_ARGUMENTS do
  local found = call('MGET', unpack(sumKeys, from, min(#sumKeys, from + MOST_ARGUMENTS - 1)))
  for n = 1, #found do
    local stored, claim, frame = found[n], sumClaims[from + n - 1], sumFrames[from + n - 1]
    local count = stored and #stored < 16 and match(stored, '^-?%d+$') and stored + 0
    if frame == 0 then
      claim.found = count
    else
      claim.past[frame] = max(count or 0, 0)
    end
  end
end

local asking = {}
for place = 1, #claims do
  local claim = claims[place]
  if claim.rule.count(claim) then
    asking[#asking + 1] = claim
  end
end
if #asking > 0 then
  askOthers(asking)
end

local answers, recalled, freed, usedUp = { last == '' and '0' or last, text(birth), text(now) }, {}, {}, {}
local size = 3
for place = 1, #claims do
  local claim = claims[place]
  local rule = claim.rule
  if claim.isAsked and claim.asked > 0 then
    grant(claim, claim.holders)
  end
  local granted, elsewhere = claim.granted, claim.elsewhere
  local total, more = rule.keep(claim, place)
  answers[size + 1], answers[size + 2], answers[size + 3] = text(total), text(granted), text(elsewhere)
  size = size + 3
  for n = 1, more and #more or 0 do
    size = size + 1
    answers[size] = text(more[n])
  end
  local overdrawn = claim.isAsked and isOverdrawn(claim)
  if (granted < claim.needed or overdrawn) and elsewhere > 0 then
    recalled[#recalled + 1] = claim.key
    for n = 1, #claim.before do
      recalled[#recalled + 1] = claim.before[n]
    end
  end
  local held, isLeft = claim.share, claim.left > granted
  if claim.leftBefore <= 0 and (isLeft or claim.stored > held) and (rule.isSum or claim.isAsked) then
    freed[#freed + 1] = claim.key
  end
  if rule.staysUsed and claim.asked > 0 and not isLeft and held + elsewhere == 0 then
    usedUp[#usedUp + 1] = claim.key
  end
end
