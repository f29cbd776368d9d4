"""The view of entities that coreference metrics found divided, conflated or not at all.

Level 0 of their correspondences is a contingency table: a gold entity beside a
system entity with the number of mentions that they share, or an entity alone with
the number of mentions that nobody of the other side has.  Everything else follows
from sums along its rows and columns.
"""

from __future__ import annotations


def _label(side: str) -> str:
    return f"""(select y.text from symbol y where y.id = (
      select n.label from node n
      where n.graph = c.{side}_graph and n.ordinal = c.{side}_ordinal))"""


ENTITY_ERRORS = f"""
create view v_entity_errors as
  select
    c.gold, c.system, c.metric, c.scope, c.revision, c.evaluation,
    c.framework, c.language, c.document, c.item, c.layer,
    k.error,
    c.gold_ordinal, c.system_ordinal,
    {_label("gold")} as gold_label,
    {_label("system")} as system_label,
    c.mentions,
    case when c.gold_ordinal is not null then c.gold_mentions end as gold_mentions,
    case when c.system_ordinal is not null
      then c.system_mentions end as system_mentions,
    case when k.error in ('divided', 'missing') then c.system_parts
      else c.gold_parts end as parts
  from (
    select
      g.name as gold, s.name as system, e.metric, e.scope, e.revision,
      case when e.outdated then 'outdated' else e.status end as evaluation,
      p.framework, p.language, p.document, p.item, p.layer,
      p.gold_graph, p.system_graph,
      m.gold as gold_ordinal, m.system as system_ordinal,
      cast(m.credit as integer) as mentions,
      cast(sum(m.credit) over gold_entity as integer) as gold_mentions,
      cast(sum(m.credit) over system_entity as integer) as system_mentions,
      count(m.system) over gold_entity as system_parts,
      count(m.gold) over system_entity as gold_parts
    from evaluation e
    join collection g on g.id = e.gold
    join collection s on s.id = e.system
    join pair p on p.evaluation = e.id
    join result r on r.id = p.result and r.method = 'contingency'
    join correspondence m on m.result = p.result and m.level = 0
    window gold_entity as (partition by e.id, p.seq, m.gold),
      system_entity as (partition by e.id, p.seq, m.system)
  ) c
  join (
    select 'divided' as error union all select 'conflated'
    union all select 'missing' union all select 'extra'
  ) k on (k.error = 'missing' and c.system_ordinal is null)
    or (k.error = 'extra' and c.gold_ordinal is null)
    or (c.gold_ordinal is not null and c.system_ordinal is not null
      and ((k.error = 'divided' and c.system_parts > 1)
        or (k.error = 'conflated' and c.gold_parts > 1)))"""
"""The statement that creates the view."""
