-- The rules. Each reads its figures (read), counts what was used and finds out what is left and whether the others have to be asked
-- (count), learns what others hold or held too long (meet, takeBack), and writes what was granted (keep). That returns the total
-- and what else is told.

-- Grants what calls wait for as far as it is left, which counts as used if they pass with it. If that is all that they need, also a
-- share of the rest.
local function grant(claim, holders)
  local forWaiting, share = max(0, min(claim.needed, claim.left)), 0
  if forWaiting < claim.least then
    forWaiting = 0
  end
  if claim.wanted > 0 and forWaiting == claim.needed then
    share = max(0, min(claim.wanted, floor(PART * (claim.left - forWaiting) / holders + 0.5)))
  end
  local usedAtOnce = claim.isUsedAtOnce and forWaiting or 0
  claim.granted, claim.usedAtOnce = forWaiting + share, usedAtOnce
  claim.share = claim.held + forWaiting + share - usedAtOnce
  return claim.granted
end

-- Whether the sender tells of calls that, with all that is held as far as it is known, pass the limit.
local function isOverdrawn(claim)
  return claim.used > 0 and claim.left < 0 and claim.left > -math.huge
end

local rules, make = {}, {}
local NONE = {}
-- The claims of this batch that a frame weighs in, by its key: each with how many frames it comes after it.
local framesAfter = {}

local function ruleOf(letter)
  local rule = rules[letter]
  if not rule then
    rule = make[letter]()
    rules[letter] = rule
  end
  return rule
end
