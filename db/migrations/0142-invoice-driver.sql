-- What is not made yet is made, or registered, as its configuration says now.
update invoice i set driver = c.driver, version = i.version + 1
from einvoice_config c where c.id = i.config_id and i.state in ('applied', 'failed') and i.driver <> c.driver;
