-- All statements: reads them, counts what was used, grants, and writes.

local statements, lastKey = {}, #KEYS

while atKey <= lastKey do
  local at = atArgument
  local key, shares = nextKey()
  local rule = ruleOf(ARGV[at + 7])
  -- Adding 0 converts a text to a number, faster than tonumber.
  local held, needed, wanted = ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 5] + 0
  -- All fields are set here, also those that are computed later: a table that grows costs more.
  local statement = {
    key = key, used = ARGV[at] + 0, held = held, needed = needed, least = ARGV[at + 3] + 0, isUsedAtOnce = ARGV[at + 4] == '1',
    wanted = wanted, asked = needed + wanted, lease = ARGV[at + 6] + 0, rule = rule, cap = 0, stays = 0, earlier = NONE,
    stored = 0, isStored = false, expires = 0, changed = false, own = '', othersHold = 0, holders = 1, others = '', lapsed = 0,
    earliest = math.huge, ownEnds = 0, found = false, weighs = 0, rest = 0, left = 0, leftBefore = 0, elsewhere = 0, granted = 0,
    usedAtOnce = 0, share = held
  }
  atArgument = at + 8
  statements[#statements + 1] = statement
  rule.read(statement)
  if rule.sharesApart and shares then
    readShares(statement, shares)
  end
  if rule.isSum then
    addSum(statement)
  end
end

-- The stored totals and frames. A value under our key that is no count is replaced.
for n = 1, #sums do
  local sum = sums[n]
  local count = number(match(findText(sum.key, LONGEST_NUMBER), '^-?%d+$'))
  sum.found, sum.weighs = count, max(count or 0, 0)
end

for n = 1, #statements do
  statements[n].rule.count(statements[n])
end

local answers, recalled, freed, usedUp = { last == '' and '0' or last, text(birth), clock }, {}, {}, {}
local usedAtOnce = ''
local size = 3
for place = 1, #statements do
  local statement = statements[place]
  local rule = statement.rule
  if statement.asked > 0 then
    grant(statement)
  end
  local total, details = rule.keep(statement, place)
  if rule.sharesApart then
    keepShare(statement)
  end
  if statement.usedAtOnce > 0 then
    usedAtOnce = usedAtOnce .. ' ' .. place .. ':' .. text(statement.usedAtOnce)
  end
  local granted, elsewhere = statement.granted, statement.elsewhere
  answers[size + 1], answers[size + 2], answers[size + 3] = text(total), text(granted), text(elsewhere)
  size = size + 3
  for n = 1, details and #details or 0 do
    size = size + 1
    answers[size] = text(details[n])
  end
  if elsewhere > 0 and (granted < statement.needed or isOverdrawn(statement)) then
    recalled[#recalled + 1] = statement.key
    for n = 1, #statement.earlier do
      recalled[#recalled + 1] = statement.earlier[n].key
    end
  end
  local held, isLeft = statement.share, statement.left > granted
  if statement.leftBefore <= 0 and (isLeft or statement.stored > held) then
    freed[#freed + 1] = statement.key
  end
  if rule.staysUsed and statement.asked > 0 and not isLeft and held + elsewhere == 0 then
    usedUp[#usedUp + 1] = statement.key
  end
end
