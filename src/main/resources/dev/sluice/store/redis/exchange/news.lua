-- News: what this batch means for other instances. Each of them hears by a channel of its own what concerns it; nobody else does.
-- `everybody` collects what concerns all of them, whose channel is ARGV[5].

local everybody, toInstance = {}, {}

-- The table under a name of another one, which gets an empty one there if it has none.
local function under(all, name)
  local found = all[name]
  if not found then
    found = {}
    all[name] = found
  end
  return found
end

local function add(news, kind, key)
  local keys = under(news, kind)
  keys[#keys + 1] = key
end

local function tell(name, kind, key)
  add(under(toInstance, name), kind, key)
end

-- Recalls permits: first of holders that have not been heard for longest, since these may have no use for them, and only as many as are
-- short; four times as many each time that the sender asks again. A holder of an earlier frame also hears of the current one: it may be
-- asking for some of that.
local function recallShares(of, short, current)
  for permits, ends, name in gmatch(of.others, '\n(%d+) (%d+) ([^\n]+)') do
    if short <= 0 then
      return
    end
    if ends + 0 > now then
      tell(name, 'RECALLED', of.key)
      if current then
        tell(name, 'RECALLED', current)
      end
      short = short - permits
    end
  end
end

local function recall(statement)
  if statement.places then
    for n = 1, #statement.places do
      tell((statement.places[n]:gsub('%c', '?')), 'RECALLED', statement.key)
    end
    return
  end
  local short = statement.needed - statement.granted
  recallShares(statement, short > 0 and short * 4 ^ statement.repeats or math.huge)
  for n = 1, #statement.earlier do
    recallShares(statement.earlier[n], math.huge, statement.key)
  end
end

-- Tells instances whose calls wait that something came back, as many as it serves; all of them if nobody holds anything any more, so
-- that there is nothing to wait for. Whoever was told asks again, and waits anew if that is still too little. Notes if the sender waits.
local function tellWaiting(statement, wasHeld)
  local before, isLast = statement.waiting, statement.share + statement.elsewhere == 0
  local left = statement.left - statement.granted
  local waits = statement.granted < statement.needed and not isLast
  local isUsedUp = isLast and left <= 0 and statement.rule.staysUsed
  -- Many instances would soon ask for a limit of so many permits.
  if isUsedUp and statement.cap * 4 >= ARGV[10] + 0 then
    if wasHeld or statement.leftBefore > 0 then
      add(everybody, 'USED_UP', statement.key)
    end
    return
  end
  if before == '' and not waits then
    return
  end
  local served = isLast and math.huge or left > 0 and left or statement.stored > statement.share and 1 or 0
  local kind = isUsedUp and 'USED_UP' or 'FREED'
  local lines = {}
  for line, permits, ends, name in gmatch(before, '(\n%?(%d+) (%d+) ([^\n]+))') do
    if name ~= holder and ends + 0 > now then
      if served > 0 then
        tell(name, kind, statement.key)
        served = served - permits
      else
        lines[#lines + 1] = line
      end
    end
  end
  if waits and #lines < MOST_WAITING then
    lines[#lines + 1] = '\n?' .. text(statement.needed - statement.granted) .. ' ' .. text(now + statement.lease) .. ' ' .. holder
  end
  statement.waiting = table.concat(lines)
  statement.changed = statement.changed or statement.waiting ~= before
end

-- Adds the news of a statement to which everything was granted that can be.
local function addNews(statement)
  if statement.elsewhere > 0 and (statement.granted < statement.needed or isOverdrawn(statement)) then
    recall(statement)
  end
  local isLeft = statement.left > statement.granted
  if not statement.rule.sharesApart then
    if statement.leftBefore <= 0 and (isLeft or statement.stored > statement.share) then
      add(everybody, 'FREED', statement.key)
    end
    return
  end
  local wasHeld = statement.stored + statement.othersHold > 0
  -- Whoever knows that all was used has to know as well that something is held from now on, which may come back.
  if statement.leftBefore <= 0 and not wasHeld and (isLeft or statement.share > 0) then
    add(everybody, 'FREED', statement.key)
  end
  tellWaiting(statement, wasHeld)
end

local function publish(channel, news)
  local lines = {}
  for kind, keys in pairs(news) do
    lines[#lines + 1] = kind .. ' ' .. table.concat(keys, ' ') .. '\n'
  end
  if #lines > 0 then
    pcall('PUBLISH', channel, table.concat(lines) .. '\n' .. me)
  end
end

-- If news cannot be published, the batch is applied all the same.
local function publishNews()
  publish(ARGV[5], everybody)
  for name, news in pairs(toInstance) do
    publish(ARGV[5] .. ':@' .. name, news)
  end
end
