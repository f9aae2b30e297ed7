-- The permits of a counter that instances hold, in a field of KEYS[1]. The first line of its value is "expires permits
-- holders until". If operators have given calls in a window or frame, a plus and the number of calls follow. Three
-- kinds of lines come next:
--
--   "permits ends instance" for each instance whose lease is valid. A line with 0 permits means that the instance has
--       calls in flight that could return their permits. The permits and holders in the first line are the sums over
--       these lines. No lease ends before `until`. Until then, the script reads only the sender's line, because it
--       takes a microsecond to read a line and there can be hundreds of lines.
--   "!permits since instance" for each unresponsive instance, oldest first: the permits that it held when its lease
--       lapsed, and the time of the lapse. These permits count as used, because the instance might have used them
--       without a report. Other instances neither wait for these permits nor recall them, and the sums do not include
--       them. The next statement of the instance removes this use and reports the actual use. If there are too many of
--       these lines, or if a line is too old, the script drops the line, and its permits remain counted. An instance
--       with a line of the first kind has no line of this kind.
--   "?permits least ends instance" for each instance whose calls are waiting for permits of this counter or of an
--       earlier frame that other instances hold: how many permits these calls lack, and the minimum that would help
--       them. The lines are in the order in which the instances began to wait. The script removes them once no instance
--       holds permits or has calls in flight that could return some.

-- The sender's name in lines, without control characters.
local holder = me:gsub('%c', '?')
-- The maximum number of characters in a line before the instance.
local BEFORE_NAME = 34
-- The maximum number of waiting instances to store, so that they can be notified when permits are returned. Other
-- instances retry after a pause.
local MOST_WAITING = Java.StoreProtocol.MOST_WAITING
-- The maximum number of lapsed lines, and how long a line is stored, in ms.
local MOST_LAPSED, LONGEST_LAPSED = Java.StoreProtocol.MOST_LAPSED, Java.StoreProtocol.LONGEST_LAPSED
-- The value of `until` if there is no lease.
local NEVER = MOST_COUNT
-- The part of a line before the instance.
local LIVE, LAPSED = '()\n(%d+) (%d+)$', '()\n!(%d+) (%d+)$'

-- The lapsed lines of a text, as a list.
local function parseLapsed(lines)
  local list = {}
  for line, permits, since, name in gmatch(lines, '(\n!(%d+) (%d+) ([^\n]+))') do
    list[#list + 1] = { line = line, permits = number(permits) or 0, since = number(since) or 0, instance = name }
  end
  return list
end

-- Adds lines for leases that have just ended. If there are too many lines, drops the oldest ones. If there are too many
-- newly lapsed leases, counts the oldest of them together as one use.
local function lapse(of, new)
  table.sort(new, function(one, other)
    return one.since < other.since or (one.since == other.since and one.position < other.position)
  end)
  local beyond, folded = #new - MOST_LAPSED, 0
  for n = 1, beyond do
    folded = folded + new[n].permits
  end
  if beyond > 0 then
    new[beyond].permits = min(folded, MOST_COUNT)
    new = { unpack(new, beyond) }
  end
  local lines = {}
  for _, known in ipairs(parseLapsed(of.lapsed)) do
    if known.since > now - LONGEST_LAPSED then
      lines[#lines + 1] = known.line
    end
  end
  for _, one in ipairs(new) do
    if one.since > now - LONGEST_LAPSED then
      lines[#lines + 1] = '\n!' .. text(one.permits) .. ' ' .. text(one.since) .. ' ' .. one.instance
    end
  end
  of.lapsed, of.newlyLapsed = table.concat(lines, '', max(1, #lines - MOST_LAPSED + 1)), new
end

-- The lapsed permits that the counter does not yet count as used. These are the permits that have just lapsed or, if
-- the counter was deleted, all lapsed permits.
local function uncountedLapses(of, isDeleted)
  return isDeleted and parseLapsed(of.lapsed) or of.newlyLapsed
end

-- The count of a deleted window or frame: the number of permits that are known to be held or lapsed.
local function countOfShares(of)
  local count = of.stored + of.othersHold + of.takenBack
  for _, one in ipairs(parseLapsed(of.lapsed)) do
    count = count + one.permits
  end
  return count
end

-- Reads all lines with leases. If the lease of another instance has ended, its permits lapse.
local function readLines(of, field)
  local lines, lapsed = {}, {}
  for line, permits, ends, name in gmatch(field, '(\n(%d+) (%d+) ([^\n]+))') do
    permits, ends = number(permits) or 0, number(ends) or 0
    if name == holder then
      of.stored, of.own, of.ownEnds = permits, line, ends
    elseif ends > now then
      of.othersHold, of.holders, of.earliest = of.othersHold + permits, of.holders + 1, min(of.earliest, ends)
      lines[#lines + 1] = line
    else
      of.changed = true
      if permits > 0 then
        lapsed[#lapsed + 1] = { permits = permits, since = ends, instance = name, position = #lapsed }
      end
    end
  end
  of.others = table.concat(lines)
  if #lapsed > 0 then
    lapse(of, lapsed)
  end
end

-- The position of the sender's line of the given kind, its permits, and the end of its lease; nil if there is no such
-- line; false if the position is unclear.
local function ownLine(field, kind)
  local first, last = field:find(' ' .. holder .. '\n', 1, true)
  if first then
    last = last - 1
  elseif field:sub(-#holder - 1) == ' ' .. holder then
    first, last = #field - #holder, #field
  else
    return nil
  end
  local line, permits, ends = match(field:sub(max(1, first - BEFORE_NAME), first - 1), kind)
  if not line then
    return false
  end
  return max(1, first - BEFORE_NAME) + line - 1, last, permits + 0, ends + 0
end

-- Removes the sender's lapsed line, and records that its use must be removed. If the line is too old, its use remains
-- counted.
local function takeBack(of)
  local first, last, permits, since = ownLine(of.lapsed, LAPSED)
  if first == false then
    first = nil
    for _, one in ipairs(parseLapsed(of.lapsed)) do
      if one.instance == holder then
        first = of.lapsed:find(one.line .. '\n', 1, true) or #of.lapsed - #one.line + 1
        last, permits, since = first + #one.line - 1, one.permits, one.since
        break
      end
    end
  end
  if first then
    of.lapsed, of.changed = of.lapsed:sub(1, first - 1) .. of.lapsed:sub(last + 1), true
    if since > now - LONGEST_LAPSED then
      of.takenBack, of.takenBackAt = min(permits, MOST_COUNT), since
    end
  end
end

-- Reads the shares of one counter into a statement or an earlier frame. Only a statement removes the use of lapsed
-- permits.
local function readShares(of, field, isStatement)
  of.isStored, of.expires = true, number(match(field, '^%d+')) or 0
  local waiting = field:find('\n?', 1, true)
  if waiting then
    of.waiting, field = field:sub(waiting), field:sub(1, waiting - 1)
  end
  local lapsed = field:find('\n!', 1, true)
  if lapsed then
    of.lapsed, field = field:sub(lapsed), field:sub(1, lapsed - 1)
  end
  local permits, holders, earliest, given, lines = match(field, '^%d+ (%d+) (%d+) (%d+)%+?(%d*)()')
  if given and given ~= '' then
    of.given = number(given) or 0
  end
  permits, holders, earliest = number(permits), number(holders), number(earliest)
  local first, last, stored, ends
  if earliest and earliest > now then
    first, last, stored, ends = ownLine(field, LIVE)
  end
  if lapsed and isStatement and not first then
    takeBack(of)
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

-- The fields to store, each followed by its value; the fields to remove; and the earliest time at which KEYS[1] is
-- allowed to expire.
local kept, removed, stays = {}, {}, now + max(ARGV[3] + ARGV[7] - 2 * AMPLE, 0)
-- A lease in ms, and the end of the line for a share with that lease.
local lease, leaseEnds

-- Stores the shares of one counter, including the sender's share. The share of a dead instance must be stored as long
-- as it is relevant, both before and after it has lapsed. Otherwise, the script would grant permits to other instances
-- that the dead instance has already used.
local function keepShares(of, own, share, ends)
  local lines = of.others .. own
  if lines ~= '' or of.lapsed ~= '' or of.waiting ~= '' or of.given > 0 then
    local holders, earliest = own == '' and of.holders - 1 or of.holders, own == '' and of.earliest or min(of.earliest, ends)
    kept[#kept + 1] = of.key
    kept[#kept + 1] = text(of.expires) .. ' ' .. text(of.othersHold + share) .. ' ' .. holders .. ' '
      .. text(lines ~= '' and earliest or NEVER) .. (of.given > 0 and '+' .. text(of.given) or '') .. lines .. of.lapsed .. of.waiting
  elseif of.isStored then
    removed[#removed + 1] = of.key
  end
end

-- Whether other instances have a line for this counter or for an earlier frame. A line without permits means that the
-- instance has calls in flight that could return their permits.
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
  elseif statement.given > 0 then
    statement.expires = max(statement.expires, statement.stays + grace)
  elseif statement.waiting ~= '' then
    statement.expires = max(statement.expires, now + statement.lease)
  end
  if own ~= '' or statement.own ~= '' or statement.changed then
    stays = max(stays, statement.expires)
    keepShares(statement, own, share, now + statement.lease)
  end
end
