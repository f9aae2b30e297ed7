-- Reads all statements, counts the reported calls, grants permits, and writes the counters.

local statements, lastKey = {}, #KEYS

while atKey <= lastKey do
  local at = atArgument
  local key, shares = nextKey()
  local rule = ruleOf(ARGV[at + 8])
  -- Adding 0 converts text to a number faster than tonumber.
  local held, needed, wanted = ARGV[at + 1] + 0, ARGV[at + 2] + 0, ARGV[at + 6] + 0
  -- Set all fields here, even those that are computed later, because growing a table would cost more.
  local statement = {
    key = key, used = ARGV[at] + 0, held = held, needed = needed, least = ARGV[at + 3] + 0, isUsedAtOnce = ARGV[at + 4] % 2 == 1, mayReturn = ARGV[at + 4] % 4 >= 2,
    mayReturnGranted = ARGV[at + 4] % 8 >= 4,
    repeats = ARGV[at + 5] + 0, wanted = wanted, asked = needed + wanted, lease = ARGV[at + 7] + 0, rule = rule, cap = 0, stays = 0, earlier = NONE,
    stored = 0, isStored = false, expires = 0, changed = false, own = '', othersHold = 0, holders = 1, others = '', waiting = '',
    lapsed = '', newlyLapsed = NONE, takenBack = 0, takenBackAt = 0, given = 0, earliest = math.huge, ownEnds = 0, found = false, weighs = 0, withoutHeld = 0, left = 0, leftBefore = 0, elsewhere = 0, granted = 0,
    usedAtOnce = 0, share = held, slotHolders = false
  }
  atArgument = at + 9
  if ARGV[at + 4] + 0 >= 8 then
    statement.gives, statement.knownGiven = figure(), figure()
  end
  statements[#statements + 1] = statement
  rule.read(statement)
  if rule.sharesApart and shares then
    readShares(statement, shares, true)
  end
  if rule.isSum then
    addSum(statement)
  else
    changed = true
  end
  changed = changed or statement.used ~= 0
end

-- The stored totals and frames. A value under our key that is not a count is replaced.
local keys = {}
for n = 1, #sums do
  keys[n] = sums[n].key
end
local counts = #keys > 0 and call('MGET', unpack(keys)) or NONE
for n = 1, #sums do
  local found = counts[n] or ''
  local count = #found <= LONGEST_COUNT and tonumber(match(found, '^-?[1-9]%d*$') or match(found, '^0$')) or nil
  count = count and count >= -MOST_COUNT and min(count, MOST_COUNT) or nil
  sums[n].found, sums[n].weighs = count, max(count or sums[n].isStored and countOfShares(sums[n]) or 0, 0)
end

for n = 1, #statements do
  statements[n].rule.count(statements[n])
end

local answers = { last == '' and '0' or last, text(birth), clock }
local usedAtOnce = ''
local size = 3
for index = 1, #statements do
  local statement = statements[index]
  local rule = statement.rule
  if statement.asked > 0 then
    grant(statement)
  end
  local total, details = rule.keep(statement, index)
  addNews(statement)
  if rule.sharesApart then
    keepShare(statement)
  end
  if statement.usedAtOnce > 0 then
    usedAtOnce = usedAtOnce .. ' ' .. index .. ':' .. text(statement.usedAtOnce)
  end
  local granted, elsewhere, given = statement.granted, statement.elsewhere, statement.gave or statement.given
  if statement.gives and statement.gives > 0 and given > 0 then
    add(everybody, 'GIVEN', statement.key)
  end
  if elsewhere == 0 and othersMayReturn(statement) then
    elsewhere = -1
  end
  answers[size + 1], answers[size + 2], answers[size + 3] = given > 0 and text(total) .. '+' .. text(given) or text(total), text(granted), text(elsewhere)
  size = size + 3
  for n = 1, details and #details or 0 do
    size = size + 1
    answers[size] = text(details[n])
  end
end
