-- The rules. Each has these functions: `read` reads its figures; `count` counts what was used, computes what is left, and returns
-- whether the shares of others have to be read; `meet` adds a share of another instance, `takeBack` one whose lease has ended; `keep`
-- writes what was granted, and returns the total and the details.

-- Grants what waiting calls need, as far as it is left; it counts as used if they pass with it. If all of it is granted, also grants a
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

-- Whether the sender reports calls that exceed the limit, with all that is known to be held.
local function isOverdrawn(claim)
  return claim.used > 0 and claim.left < 0 and claim.left > -math.huge
end

local rules, make = {}, {}
local NONE = {}
-- By the key of a frame, the claims of this batch in which it weighs as an earlier frame, and how many frames earlier it is.
local framesAfter = {}

local function ruleOf(letter)
  local rule = rules[letter]
  if not rule then
    rule = make[letter]()
    rules[letter] = rule
  end
  return rule
end
