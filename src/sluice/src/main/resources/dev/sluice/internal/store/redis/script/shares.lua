-- What instances hold of a counter: a field of KEYS[1], "expires permits holders until", and for each instance a line
-- "permits ends instance". A line with 0 permits says that calls of the instance are in flight that may return what
-- they took. Permits and holders are the sums of the lines, and no lease ends before `until`. Until then, only the
-- sender's line is read, because reading a line takes a microsecond and there can be hundreds. Lines "?permits least
-- ends instance" follow for instances whose calls wait for permits that others hold, of this counter or of an earlier
-- frame, in the order in which they began to wait: how many permits they lack, and how many they need at least. The
-- script removes these lines once nobody holds permits, or has calls in flight that may return some.

-- The sender's name as lines have it: without control characters.
local holder = me:gsub('%c', '?')
-- The most characters of a line before the instance.
local BEFORE_NAME = 34
-- The most waiting instances that are notified when permits come back. The others ask again by themselves.
local MOST_WAITING = 64

-- Reads all lines.
local function readLines(of, field)
  local lines = {}
  for line, permits, ends, name in gmatch(field, '(\n(%d+) (%d+) ([^\n]+))') do
    permits, ends = number(permits) or 0, number(ends) or 0
    if name == holder then
      of.stored, of.own, of.ownEnds = permits, line, ends
    elseif ends > now then
      of.othersHold, of.holders, of.earliest = of.othersHold + permits, of.holders + 1, min(of.earliest, ends)
      lines[#lines + 1] = line
    else
      of.lapsed, of.changed = of.lapsed + permits, true
    end
  end
  of.others = table.concat(lines)
end

-- The position of the sender's line, its permits, and when its lease ends; nil if there is no line, false if it is
-- unclear.
local function ownLine(field)
  local first, last = field:find(' ' .. holder .. '\n', 1, true)
  if first then
    last = last - 1
  elseif field:sub(-#holder - 1) == ' ' .. holder then
    first, last = #field - #holder, #field
  else
    return nil
  end
  local line, permits, ends = match(field:sub(max(1, first - BEFORE_NAME), first - 1), '()\n(%d+) (%d+)$')
  if not line then
    return false
  end
  return max(1, first - BEFORE_NAME) + line - 1, last, permits + 0, ends + 0
end

-- Reads the shares of one counter into a statement, or into an earlier frame.
local function readShares(of, field)
  of.isStored, of.expires = true, number(match(field, '^%d+')) or 0
  local waiting = field:find('\n?', 1, true)
  if waiting then
    of.waiting, field = field:sub(waiting), field:sub(1, waiting - 1)
  end
  local permits, holders, earliest, lines = match(field, '^%d+ (%d+) (%d+) (%d+)()\n')
  permits, holders, earliest = number(permits), number(holders), number(earliest)
  local first, last, stored, ends
  if earliest and earliest > now then
    first, last, stored, ends = ownLine(field)
  end
  if not permits or not holders or not earliest or earliest <= now or first == false then
    readLines(of, field)
    return
  end
  of.earliest = earliest
  if first then
    of.stored, of.own, of.ownEnds = stored, field:sub(first, last), ends
    of.othersHold, of.holders = max(permits - stored, 0), max(holders, 1)
    of.others = field:sub(lines, first - 1) .. field:sub(last + 1)
  else
    of.othersHold, of.holders, of.others = permits, holders + 1, field:sub(lines)
  end
end

-- The fields to store, each followed by its value; the fields to remove; and the time until which KEYS[1] must live.
local kept, removed, stays = {}, {}, now + max(ARGV[3] + ARGV[7] - 2 * AMPLE, 0)
-- A lease in ms, and the end of the line of a share with that lease.
local lease, leaseEnds

-- Stores the shares of one counter, including the sender's. The share of a dead instance must stay as long as the
-- counter counts it.
local function keepShares(of, own, share, ends)
  local lines = of.others .. own
  if lines ~= '' or of.waiting ~= '' then
    local holders, earliest = own == '' and of.holders - 1 or of.holders, own == '' and of.earliest or min(of.earliest, ends)
    kept[#kept + 1] = of.key
    kept[#kept + 1] = text(of.expires) .. ' ' .. text(of.othersHold + share) .. ' ' .. holders .. ' '
      .. text(lines ~= '' and earliest or 0) .. lines .. of.waiting
  elseif of.isStored then
    removed[#removed + 1] = of.key
  end
end

-- Whether other instances have a line of this counter or of an earlier frame: without permits, it means that calls of
-- the instance are in flight that may return what they took.
local function othersMayReturn(statement)
  local found = statement.rule.sharesApart and statement.others ~= ''
  for n = 1, #statement.earlier do
    found = found or statement.earlier[n].others ~= ''
  end
  return found
end

-- Stores the shares of a statement's counter if they have changed.
local function keepShare(statement)
  local share, own = statement.share, ''
  if share > 0 or statement.mayReturn then
    if statement.lease ~= lease then
      lease = statement.lease
      leaseEnds = ' ' .. text(now + lease) .. ' ' .. holder
    end
    own = '\n' .. text(share) .. leaseEnds
    statement.expires = max(statement.expires, statement.stays + grace)
    stays = max(stays, statement.expires)
  elseif statement.waiting ~= '' then
    statement.expires = max(statement.expires, now + statement.lease)
  end
  if own ~= '' or statement.own ~= '' or statement.changed then
    keepShares(statement, own, share, now + statement.lease)
  end
end
