-- All claims: reads them, counts what was used, grants, and writes.

local claims, lastKey = {}, #KEYS

while atKey <= lastKey do
  local at = atArgument
  local key, shares = nextKey()
  local rule = ruleOf(ARGV[at + 7])
  -- Adding 0 converts a text to a number, faster than tonumber.
  local held, needed, wanted = ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 5] + 0
  -- All fields are set here, also those that are computed later: a table that grows costs more.
  local claim = {
    key = key, used = ARGV[at] + 0, held = held, needed = needed, least = ARGV[at + 3] + 0, isUsedAtOnce = ARGV[at + 4] == '1',
    wanted = wanted, asked = needed + wanted, lease = ARGV[at + 6] + 0, rule = rule, cap = 0, stays = 0, earlier = NONE,
    stored = 0, isStored = false, expires = 0, changed = false, own = '', othersHold = 0, holders = 1, others = '', lapsed = 0,
    earliest = math.huge, ownEnds = 0, found = false, weighs = 0, rest = 0, left = 0, leftBefore = 0, elsewhere = 0, granted = 0,
    usedAtOnce = 0, share = held
  }
  atArgument = at + 8
  claims[#claims + 1] = claim
  rule.read(claim)
  if rule.sharesApart and shares then
    readShares(claim, shares)
  end
  if rule.isSum then
    addSum(claim)
  end
end

-- The stored totals and frames. A value under our key that is no count is replaced.
for n = 1, #sums do
  local sum = sums[n]
  local count = number(match(findText(sum.key, LONGEST_NUMBER), '^-?%d+$'))
  sum.found, sum.weighs = count, max(count or 0, 0)
end

for n = 1, #claims do
  claims[n].rule.count(claims[n])
end

local answers, recalled, freed, usedUp = { last == '' and '0' or last, text(birth), clock }, {}, {}, {}
local size = 3
for place = 1, #claims do
  local claim = claims[place]
  local rule = claim.rule
  if claim.asked > 0 then
    grant(claim)
  end
  local total, details = rule.keep(claim, place)
  if rule.sharesApart then
    keepShare(claim)
  end
  local granted, elsewhere = claim.granted, claim.elsewhere
  answers[size + 1], answers[size + 2], answers[size + 3] = text(total), text(granted), text(elsewhere)
  size = size + 3
  for n = 1, details and #details or 0 do
    size = size + 1
    answers[size] = text(details[n])
  end
  if elsewhere > 0 and (granted < claim.needed or isOverdrawn(claim)) then
    recalled[#recalled + 1] = claim.key
    for n = 1, #claim.earlier do
      recalled[#recalled + 1] = claim.earlier[n].key
    end
  end
  local held, isLeft = claim.share, claim.left > granted
  if claim.leftBefore <= 0 and (isLeft or claim.stored > held) then
    freed[#freed + 1] = claim.key
  end
  if rule.staysUsed and claim.asked > 0 and not isLeft and held + elsewhere == 0 then
    usedUp[#usedUp + 1] = claim.key
  end
end
