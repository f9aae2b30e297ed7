-- News for other instances. `everybody` collects news for all instances. It is published on the channel ARGV[5].
-- `toInstance` collects news for individual instances. Each of them has its own channel.

local everybody, toInstance = {}, {}

-- The table under a name in another table. Creates the table if it does not exist.
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

-- The factor by which each repeated recall increases the number of permits. It is applied at most MOST_GROWTHS times.
local RECALL_GROWTH, MOST_GROWTHS = Java.StoreProtocol.RECALL_GROWTH, Java.StoreProtocol.MOST_GROWTHS

-- Recalls permits. Starts with the holders whose last statements are oldest, because they are least likely to need
-- their permits. At first, recalls only the missing number of permits, but more each time the sender repeats its
-- request. Holders of an earlier frame are also notified about the current frame, because their own calls could be
-- waiting for its permits.
local function recallShares(of, short, current)
  for permits, ends, name in gmatch(of.others, '\n(%d+) (%d+) ([^\n]+)') do
    if short <= 0 then
      return
    end
    if ends + 0 > now and permits + 0 > 0 then
      tell(name, 'RECALLED', of.key)
      if current then
        tell(name, 'RECALLED', current)
      end
      short = short - permits
    end
  end
end

local function recall(statement)
  if statement.slotHolders then
    for n = 1, #statement.slotHolders do
      tell((statement.slotHolders[n]:gsub('%c', '?')), 'RECALLED', statement.key)
    end
    return
  end
  local short = statement.needed - statement.granted
  recallShares(statement, short > 0 and short * RECALL_GROWTH ^ min(statement.repeats, MOST_GROWTHS) or math.huge)
  for n = 1, #statement.earlier do
    recallShares(statement.earlier[n], math.huge, statement.key)
  end
end

-- Notifies waiting instances that permits were returned, so that they request permits again. Notifies the first
-- instances whose needs the free permits meet, until no free permits remain. If no instance holds permits or has calls
-- that could return some, notifies all waiting instances, because waiting is then pointless. If the sender has only
-- used permits that it held or that had lapsed, notifies only the first instance. Also records whether the sender is
-- waiting. If it was already waiting, it keeps its position in the queue.
local function tellWaiting(statement)
  local before, heldBefore = statement.waiting, statement.stored + statement.takenBack
  local isLast = statement.share + statement.elsewhere == 0 and not statement.mayReturn and not othersMayReturn(statement)
  local left, granted = statement.left - statement.granted, statement.granted
  local lacking = isLast and 0 or max(0, statement.needed - granted)
  if before == '' and lacking == 0 then
    return
  end
  local free = isLast and math.huge or left > 0 and left or heldBefore > statement.share and 1 or 0
  local own, lines = nil, {}
  if lacking > 0 then
    -- After a partial grant, the next call's need is unknown.
    own = '\n?' .. text(lacking) .. ' ' .. text(granted == 0 and statement.least or 1) .. ' ' .. text(now + statement.lease) .. ' ' .. holder
  end
  for line, permits, least, ends, name in gmatch(before, '(\n%?(%d+) (%d+) (%d+) ([^\n]+))') do
    local isOver = ends + 0 <= now
    if name == holder and not isOver then
      -- If the sender requests no permits, its calls might still be awaiting the outcomes of other calls.
      lines[#lines + 1], own = own or (statement.needed == 0 and not isLast and line) or nil, nil
    elseif free > 0 and (least + 0 <= free or left <= 0) and not isOver then
      tell(name, 'FREED', statement.key)
      free = free - permits
    elseif not isOver then
      lines[#lines + 1] = line
    end
  end
  if #lines < MOST_WAITING then
    lines[#lines + 1] = own
  end
  statement.waiting = table.concat(lines)
  statement.changed = statement.changed or statement.waiting ~= before
end

-- If only one instance holds permits, notifies that instance, because it has concluded that no other permits remain.
local function tellOnlyHolder(statement)
  local only
  for permits, ends, name in gmatch(statement.others, '\n(%d+) (%d+) ([^\n]+)') do
    if permits + 0 > 0 and ends + 0 > now then
      if only then
        return
      end
      only = name
    end
  end
  if only then
    tell(only, 'FREED', statement.key)
  end
end

-- Adds the news of a statement, after its grant.
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
  -- Instances that consider the limit used up must be notified that permits are now held, because the holder could
  -- return them.
  if statement.leftBefore <= 0 and not wasHeld and (isLeft or statement.share > 0) then
    add(everybody, 'FREED', statement.key)
  elseif statement.leftBefore <= 0 and statement.stored == 0 and (isLeft or statement.share > 0) then
    tellOnlyHolder(statement)
  end
  tellWaiting(statement)
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

-- The batch is applied even if its news cannot be published.
local function publishNews()
  publish(ARGV[5], everybody)
  for name, news in pairs(toInstance) do
    publish(ARGV[5] .. ':@' .. name, news)
  end
end
