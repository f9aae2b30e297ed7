-- The rules. Each rule has three functions. `read` reads the figures. `count` counts the reported calls, and computes
-- the remaining permits and the permits that other instances hold. `keep` stores the grant, and returns the total and
-- the details.

-- The fraction of the remaining permits that all holders together are allowed to take ahead.
local PART_AHEAD = Java.StoreProtocol.PART_AHEAD

-- Grants remaining permits to the waiting calls. If the calls use these permits immediately, the permits count as used.
-- If all needed permits can be granted, also grants a share of the other remaining permits.
local function grant(statement)
  local forWaiting, share = max(0, min(statement.needed, statement.left)), 0
  if forWaiting < statement.least then
    forWaiting = 0
  end
  if statement.wanted > 0 and forWaiting == statement.needed then
    share = max(0, min(statement.wanted, ceil(PART_AHEAD * (statement.left - forWaiting) / statement.holders - 0.5)))
  end
  local usedAtOnce = statement.isUsedAtOnce and forWaiting or 0
  statement.granted, statement.usedAtOnce = forWaiting + share, usedAtOnce
  statement.share = statement.held + forWaiting + share - usedAtOnce
  statement.mayReturn = statement.mayReturn or (statement.mayReturnGranted and forWaiting > 0)
end

-- The maximum number of calls that operators can give to a window or frame.
local MOST_GIVEN = Java.Gift.MOST

local function receive(statement)
  if statement.gives then
    local given = min(max(statement.given, statement.knownGiven) + statement.gives, MOST_GIVEN)
    statement.given, statement.changed = given, statement.changed or given ~= statement.given
  end
end

-- Whether the sender reports calls that exceed the limit, including all known shares.
local function isOverdrawn(statement)
  return statement.used > 0 and statement.left < 0 and statement.left > -math.huge
end

-- Whether this batch has changed a counter. Statements about totals and frames do not always change their counters, but
-- all other statements do.
local changed = false

-- The totals and frames to read.
local sums = {}

local function addSum(sum)
  sums[#sums + 1] = sum
end

local rules, make = {}, {}
local NONE = {}

local function ruleOf(letter)
  local rule = rules[letter]
  if not rule then
    rule = make[letter]()
    rules[letter] = rule
  end
  return rule
end
